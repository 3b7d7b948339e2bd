/* Private to the exchange: transfers as messages, those of a multicast together, and their plan. */
#pragma once

#include "models/exchange/schedule.h"

/* All transfers of an exchange. */
typedef struct fs_message_list {
    const fs_exchange_params *params;
    const fs_transfer *transfers; /* [all] */
    const uint32_t *sent_with;    /* [all] as in fs_exchange_lanes; NULL: no multicasts */
    const uint8_t *apart;         /* [tiles] as there */
    uint32_t all, tiles;
} fs_message_list;

typedef struct fs_messages {
    uint32_t *number; /* [all transfers] the message of each that was planned */
    fs_message *message;
    uint32_t *to;
    uint32_t count, tiles;
    uint64_t *start; /* [count] cycles from the beginning of the schedule */
} fs_messages;

/* Plans the transfers lane[0 ... count - 1], ascending: as they are, and with double-width messages where the
 * machine has them, and keeps the shorter of both plans. Owner: the caller, fs_messages_free. */
void fs_messages_plan(const fs_exchange *x, const fs_message_list *list, const uint32_t *lane, uint32_t count,
                      fs_messages *out);
fs_schedule_length fs_messages_length(const fs_messages *messages);
void fs_messages_free(fs_messages *messages);
