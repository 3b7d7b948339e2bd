# Two files of unlike bytes, by name and value, for tools/compare-builds: awk -v file=NAME -f THIS ALLOWED OLD NEW
# A CSV's names are row/column (a row is called by its first column where that is called name, by section.key, else by its
# number), a JSON's and a YAML's the path of keys. Exit status: 0 what differs is allowed, 1 not.

# ---- the three forms: each fills value[name] of the side that is read
function put(name, text) {
    if (side == 2) old[name] = text
    else new[name] = text
    if (!(name in seen)) { seen[name] = 1; order[++names] = name }
}
function csv_fields(line, cell,    n, i, c, quoted) {
    n = 1; cell[1] = ""; quoted = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) cell[++n] = ""
        else cell[n] = cell[n] c
    }
    return n
}
function csv(line, row,    n, i, cell, head) {
    n = index(line, "\"") ? csv_fields(line, cell) : split(line, cell, ",")
    if (row == 1) { columns = n; for (i = 1; i <= n; i++) title[i] = cell[i]; return }
    head = title[1] == "name" && file !~ /distributions/ ? cell[1] : title[1] == "section" ? cell[1] "." cell[2] : row - 1
    for (i = 1; i <= n; i++) put(head "/" title[i], cell[i])
}
# A store's export: points are called by their numbers, as keys may have been renamed since.
function export_row(line,    n, cell) {
    n = csv_fields(line, cell)
    if (cell[1] == "member") { number[side, cell[n]] = cell[3]; put("member/" cell[3], cell[4]) }
    else if (cell[1] == "statistic") put(number[side, cell[2]] "/" cell[3], cell[4])
    else if (cell[1] ~ /^(axis|objective|constraint|sweep)$/) put(line, "")
}
function yaml(line,    depth, key, text, i, path) {
    sub(/[ \t]*#.*$/, "", line)
    if (line ~ /^[ \t]*$/) return
    match(line, /^ */); depth = int(RLENGTH / 2)
    key = substr(line, RLENGTH + 1); text = ""
    if ((i = index(key, ":")) > 0) { text = substr(key, i + 1); key = substr(key, 1, i - 1) }
    sub(/^ */, "", text)
    at[depth] = key
    for (i = 0; i <= depth; i++) path = path (i ? "." : "") at[i]
    if (text != "") put(path, text)
}
# JSON, a character at a time: text is the rest of the file.
function json(text, path,    key, n, c) {
    rest = text; json_value(path)
}
function json_string(    out, c) {
    rest = substr(rest, 2); out = ""
    while (match(rest, /^[^"\\]+/) || substr(rest, 1, 1) == "\\") {
        if (substr(rest, 1, 1) == "\\") { out = out substr(rest, 1, 2); rest = substr(rest, 3) }
        else { out = out substr(rest, 1, RLENGTH); rest = substr(rest, RLENGTH + 1) }
    }
    rest = substr(rest, 2)
    return out
}
function blanks() { sub(/^[ \t\n]+/, "", rest) }
function json_value(path,    n, key, open) {
    blanks(); open = substr(rest, 1, 1)
    if (open == "{" || open == "[") {
        rest = substr(rest, 2); n = 0
        for (blanks(); rest != "" && substr(rest, 1, 1) !~ /[]}]/; blanks()) {
            if (open == "{") { key = json_string(); sub(/^[ \n]*:/, "", rest) }
            else key = n++
            json_value(path == "" ? key : path "." key)
            blanks(); sub(/^,/, "", rest)
        }
        rest = substr(rest, 2)
    } else if (open == "\"") put(path, json_string())
    else { match(rest, /^[^],} \n]+/); put(path, substr(rest, 1, RLENGTH)); rest = substr(rest, RLENGTH + 1) }
}

# ---- what is allowed: rows `file rule name [new name]`, * for anything
function pattern(text) {
    gsub(/[.+()[\]]/, "\\\\&", text); gsub(/\*/, ".*", text)
    return "^(.*/)?" text "$"
}
function allowed(rule, name,    i) {
    for (i = 1; i <= rules; i++)
        if ((what[i] == rule || what[i] == "any") && name ~ who[i]) return 1
    return 0
}
function tell(text) { bad++; if (bad <= 5) print file ": " text }

BEGIN {
    form = file ~ /export\.csv$/ ? "export" : file ~ /\.csv$/ ? "csv" : file ~ /\.json$/ ? "json" : file ~ /\.yaml$/ ? "yaml" : "bytes"
}
FNR == 1 { side++ }
side == 1 && /^[^#]/ && file ~ pattern($1) {
    if ($2 == "renamed") { rename[$3] = $4; next }
    what[++rules] = $2; who[rules] = pattern($3)
}
side == 1 { next }
form == "csv" { csv($0, FNR) }
form == "export" { export_row($0) }
form == "yaml" { yaml($0) }
form == "json" { whole[side] = whole[side] $0 "\n" }
END {
    # An empty file has no first line, so which file is empty is known by what was read.
    for (side = 2; side <= 3; side++) if (form == "json") json(whole[side], "")
    missing[2] = (getline line < ARGV[2]) <= 0; missing[3] = (getline line < ARGV[3]) <= 0
    if (missing[2] && missing[3]) exit 0
    if (missing[2] || missing[3]) {
        if (!allowed(missing[2] ? "added" : "gone", "file")) tell("only in " (missing[2] ? "NEW" : "OLD"))
        exit bad > 0
    }
    if (form == "bytes" && !allowed("changed", "file")) tell("other bytes")
    for (i = 1; i <= names; i++) {
        name = order[i]; now = name in rename ? rename[name] : name
        if (name in old && now in new) {
            taken[now] = 1
            if (old[name] != new[now] && !allowed("changed", name)) tell(name ": " old[name] " is " new[now] " now")
        } else if (name in old) {
            if (!allowed("gone", name)) tell(name ": gone (" old[name] ")")
        } else if (!(name in taken)) late[++lates] = name
    }
    for (i = 1; i <= lates; i++)
        if (!(late[i] in taken) && !allowed("added", late[i])) tell(late[i] ": new (" new[late[i]] ")")
    if (bad > 5) print file ": " bad - 5 " more"
    exit bad > 0
}
