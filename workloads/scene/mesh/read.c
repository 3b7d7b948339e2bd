/* Mesh files through assimp's C interface, with the steps that the public program asks for (IRL,
 * scene_utils.cpp). The library reads from memory what has been looked at, and opens no file of its own. */
#include "sim/base/detmath.h"
#include "workloads/scene/mesh/mesh_private.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- files for the library ---- */

typedef struct source {
    const char *path; /* of the scene */
    const fs_mesh_bytes *bytes;
} source;

typedef struct opened {
    struct aiFile face;
    fs_mesh_bytes bytes;
    size_t at;
    bool own; /* bytes go with it */
} opened;

static size_t read_some(struct aiFile *file, char *to, size_t size, size_t count) {
    opened *o = (opened *)(void *)file->UserData;
    const size_t left = size == 0 ? 0 : (o->bytes.size - o->at) / size, n = count < left ? count : left;
    memcpy(to, o->bytes.data + o->at, n * size);
    o->at += n * size;
    return n;
}

static size_t write_nothing(struct aiFile *file, const char *from, size_t size, size_t count) {
    (void)file, (void)from, (void)size, (void)count;
    return 0;
}

static size_t place(struct aiFile *file) {
    return ((const opened *)(void *)file->UserData)->at;
}

static size_t size_of(struct aiFile *file) {
    return ((const opened *)(void *)file->UserData)->bytes.size;
}

static enum aiReturn seek_to(struct aiFile *file, size_t offset, enum aiOrigin from) {
    opened *o = (opened *)(void *)file->UserData;
    const size_t base = from == aiOrigin_SET ? 0 : from == aiOrigin_CUR ? o->at : o->bytes.size;
    const size_t to = base + offset; /* offsets back are large numbers that wrap */
    if (to > o->bytes.size)
        return aiReturn_FAILURE;
    o->at = to;
    return aiReturn_SUCCESS;
}

static void flush_nothing(struct aiFile *file) {
    (void)file;
}

/* The scene itself, or a material library of an OBJ in its folder. */
static bool find_bytes(const source *from, const char *name, opened *o) {
    if (strcmp(name, from->path) == 0) {
        o->bytes = *from->bytes;
        return true;
    }
    const char *slash = strrchr(name, '/'), *last = slash == NULL ? name : slash + 1;
    const size_t length = strlen(last);
    fs_error why = {.status = FS_OK};
    char *beside = length > 4 && strcmp(last + length - 4, ".mtl") == 0
                       ? fs_mesh_beside(from->path, last, length)
                       : NULL;
    o->own = beside != NULL && fs_mesh_slurp(beside, FS_MESH_SIDE_MOST, &o->bytes, &why) == FS_OK;
    free(beside);
    return o->own;
}

static struct aiFile *open_file(struct aiFileIO *io, const char *name, const char *mode) {
    opened *o = fs_calloc(1, sizeof *o);
    if (mode[0] != 'r' || !find_bytes((const source *)(void *)io->UserData, name, o)) {
        free(o);
        return NULL;
    }
    o->face = (struct aiFile){.ReadProc = read_some,
                              .WriteProc = write_nothing,
                              .TellProc = place,
                              .FileSizeProc = size_of,
                              .SeekProc = seek_to,
                              .FlushProc = flush_nothing,
                              .UserData = (aiUserData)(void *)o};
    return &o->face;
}

static void close_file(struct aiFileIO *io, struct aiFile *file) {
    opened *o = (opened *)(void *)file->UserData;
    (void)io;
    if (o->own)
        free(o->bytes.data);
    free(o);
}

/* ---- what the library made of it ---- */

static bool colour_of(const struct aiMaterial *from, const char *key, float out[3]) {
    struct aiColor4D colour;
    if (aiGetMaterialColor(from, key, 0, 0, &colour) != aiReturn_SUCCESS)
        return false;
    out[0] = colour.r;
    out[1] = colour.g;
    out[2] = colour.b;
    return true;
}

static bool number_of(const struct aiMaterial *from, const char *key, float *out) {
    return aiGetMaterialFloatArray(from, key, 0, 0, out, NULL) == aiReturn_SUCCESS;
}

/* Keys are those of AI_MATKEY_..., which name a texture besides. Transparency is not looked at: importers set
 * it for opaque materials too. */
static fs_material material_of(const struct aiMaterial *from) {
    fs_material m = {.ior = 1.52f, .kind = FS_MATERIAL_DIFFUSE};
    struct aiString name;
    float number = 0;
    colour_of(from, "$clr.diffuse", m.albedo);
    if (colour_of(from, "$clr.emissive", m.emission) && number_of(from, "$mat.shininess", &number) &&
        number > 0)
        for (int c = 0; c < 3; c++)
            m.emission[c] *= number;
    if (number_of(from, "$mat.refracti", &number) && number > 1)
        m.ior = number;
    if (aiGetMaterialString(from, "?mat.name", 0, 0, &name) == aiReturn_SUCCESS &&
        strstr(name.data, "glass") != NULL)
        m.kind = FS_MATERIAL_REFRACTIVE;
    if (number_of(from, "$mat.reflectivity", &number) && number > 0)
        m.kind = FS_MATERIAL_SPECULAR;
    return m;
}

static bool is_named(const struct aiMaterial *material, const char *name) {
    struct aiString is;
    return aiGetMaterialString(material, "?mat.name", 0, 0, &is) == aiReturn_SUCCESS &&
           strcmp(is.data, name) == 0;
}

/* What the library gives to meshes without a material: one of its own name; behind those of a GLB one without; to a
 * PLY without materials the only one, without a name as those of a PLY are. */
static bool is_default(const struct aiScene *from, unsigned m, fs_mesh_format format,
                       const fs_mesh_bytes *bytes) {
    struct aiString name;
    if (format == FS_MESH_PLY)
        return !fs_mesh_ply_has_materials(bytes);
    if (format != FS_MESH_GLB || m + 1 < from->mNumMaterials)
        return is_named(from->mMaterials[m], AI_DEFAULT_MATERIAL_NAME);
    return aiGetMaterialString(from->mMaterials[m], "?mat.name", 0, 0, &name) != aiReturn_SUCCESS ||
           name.length == 0;
}

static void add_materials(const struct aiScene *from, fs_mesh_format format, const fs_mesh_bytes *bytes,
                          double albedo, fs_mesh_builder *b) {
    for (unsigned m = 0; m < from->mNumMaterials; m++) {
        fs_material material = material_of(from->mMaterials[m]);
        if (is_default(from, m, format, bytes)) {
            material = (fs_material){.ior = 1.52f, .kind = FS_MATERIAL_DIFFUSE};
            material.albedo[0] = material.albedo[1] = material.albedo[2] = (float)albedo;
        }
        fs_mesh_add_material(b, &material);
    }
}

/* A corner as the file has it. */
typedef struct whole_vertex {
    float part[8]; /* position, normal, texture coordinates: zeros where there are none */
    uint32_t number;
} whole_vertex;

static int by_parts(const void *one, const void *two) {
    const whole_vertex *a = one, *b = two;
    for (int i = 0; i < 8; i++)
        if (!(a->part[i] == b->part[i]))
            return a->part[i] < b->part[i] ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool same(const whole_vertex *a, const whole_vertex *b) {
    for (int i = 0; i < 8; i++)
        if (!(a->part[i] == b->part[i]))
            return false;
    return true;
}

static whole_vertex vertex_of(const struct aiMesh *mesh, unsigned v) {
    const struct aiVector3D none = {0, 0, 0}, p = mesh->mVertices[v],
                            n = mesh->mNormals == NULL ? none : mesh->mNormals[v],
                            uv = mesh->mTextureCoords[0] == NULL ? none : mesh->mTextureCoords[0][v];
    return (whole_vertex){{p.x, p.y, p.z, n.x, n.y, n.z, uv.x, uv.y}, v};
}

/* For each vertex the first one with the same position, normal and texture coordinates: those that the public
 * program has but once. The library's own step joins what is near, too, and by version others. */
static void find_twins(const struct aiMesh *mesh, uint32_t *twin) {
    const unsigned count = mesh->mNumVertices;
    whole_vertex *all = fs_malloc((count + 1) * sizeof *all);
    for (unsigned v = 0; v < count; v++)
        all[v] = vertex_of(mesh, v);
    qsort(all, count, sizeof *all, by_parts);
    for (unsigned v = 0; v < count; v++) {
        const bool again = v > 0 && same(&all[v], &all[v - 1]);
        twin[all[v].number] = again ? twin[all[v - 1].number] : all[v].number;
    }
    free(all);
}

static fs_status check_face(const char *path, const struct aiMesh *mesh, unsigned m, unsigned f,
                            fs_error *err) {
    const struct aiFace *face = &mesh->mFaces[f];
    if (face->mNumIndices != 3)
        return fs_fail(err, FS_INPUT, "%s: mesh %u, face %u: %u corners; expected 3", path, m, f,
                       face->mNumIndices);
    for (unsigned i = 0; i < 3; i++)
        if (face->mIndices[i] >= mesh->mNumVertices)
            return fs_fail(err, FS_INPUT, "%s: mesh %u, face %u: vertex %u of %u", path, m, f,
                           face->mIndices[i], mesh->mNumVertices);
    return FS_OK;
}

/* Vertices in the order of their first use, each once. */
static fs_status add_mesh(const char *path, const struct aiScene *from, unsigned m, bool normals,
                          fs_mesh_builder *b, fs_error *err) {
    const struct aiMesh *mesh = from->mMeshes[m];
    uint32_t *twin = fs_malloc((mesh->mNumVertices + 1) * sizeof *twin),
             *number = fs_malloc((mesh->mNumVertices + 1) * sizeof *number);
    find_twins(mesh, twin);
    memset(number, 0xff, mesh->mNumVertices * sizeof *number);
    fs_mesh_begin(b, mesh->mMaterialIndex);
    for (unsigned f = 0; f < mesh->mNumFaces && check_face(path, mesh, m, f, err) == FS_OK; f++) {
        uint32_t corner[3];
        for (unsigned i = 0; i < 3; i++) {
            const uint32_t v = twin[mesh->mFaces[f].mIndices[i]];
            if (number[v] == UINT32_MAX) {
                const whole_vertex whole = vertex_of(mesh, v);
                number[v] = fs_mesh_add_vertex(b, whole.part, normals ? whole.part + 3 : NULL);
            }
            corner[i] = number[v];
        }
        fs_mesh_add_triangle(b, corner[0], corner[1], corner[2]);
    }
    free(twin);
    free(number);
    return err->status;
}

static void unit(struct aiVector3D v, float out[3]) {
    const float length = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
    out[0] = v.x / length;
    out[1] = v.y / length;
    out[2] = v.z / length;
}

static bool is_camera(const fs_mesh_camera *c) {
    float sum = 0;
    for (int a = 0; a < 3; a++)
        sum += c->position[a] + c->forward[a] + c->up[a];
    return isfinite(sum) && c->fov > 0.001f && c->fov < 3.1f;
}

/* The first camera; without one, from in front of everything. */
static fs_status set_camera(const char *path, const struct aiScene *from, fs_mesh_builder *b, fs_error *err) {
    fs_mesh_camera *c = &b->scene.camera;
    if (from->mNumCameras > 0) {
        const struct aiCamera *camera = from->mCameras[0];
        *c = (fs_mesh_camera){.position = {camera->mPosition.x, camera->mPosition.y, camera->mPosition.z},
                              .fov = camera->mHorizontalFOV};
        unit(camera->mLookAt, c->forward);
        unit(camera->mUp, c->up);
        return is_camera(c)
                   ? FS_OK
                   : fs_fail(err, FS_INPUT,
                             "%s: its camera has no direction, or sees over %g degrees; allowed are 0.1 "
                             "to 177",
                             path, (double)camera->mHorizontalFOV / FS_DEGREE);
    }
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t v = 0; v < b->scene.vertices; v++)
        for (int a = 0; a < 3; a++) {
            low[a] = fminf(low[a], b->scene.vertex[v][a]);
            high[a] = fmaxf(high[a], b->scene.vertex[v][a]);
        }
    const float reach = fmaxf(high[0] - low[0], high[1] - low[1]);
    *c = (fs_mesh_camera){
        .position = {0.5f * (low[0] + high[0]), 0.5f * (low[1] + high[1]), high[2] + 1.5f * reach},
        .forward = {0, 0, -1},
        .up = {0, 1, 0},
        .fov = (float)(FS_PI / 4)};
    return FS_OK;
}

static fs_status take(const source *file, const struct aiScene *from, fs_mesh_format format, bool normals,
                      double albedo, fs_mesh_builder *b, fs_error *err) {
    const char *path = file->path;
    bool all_have = normals;
    for (unsigned m = 0; m < from->mNumMeshes; m++)
        all_have = all_have && from->mMeshes[m]->mNormals != NULL;
    if (from->mNumMeshes == 0)
        return fs_fail(err, FS_INPUT, "%s: no mesh; a scene has at least one", path);
    add_materials(from, format, file->bytes, albedo, b);
    for (unsigned m = 0; m < from->mNumMeshes; m++) {
        if (from->mMeshes[m]->mMaterialIndex >= from->mNumMaterials)
            return fs_fail(err, FS_INPUT, "%s: mesh %u has no material", path, m);
        if (add_mesh(path, from, m, all_have, b, err))
            return err->status;
    }
    return set_camera(path, from, b, err);
}

static fs_status check_file(const char *path, fs_mesh_format format, const fs_mesh_bytes *bytes,
                            fs_error *err) {
    switch (format) {
    case FS_MESH_GLB:
        return fs_mesh_check_glb(path, bytes, err);
    case FS_MESH_DAE:
        return fs_mesh_check_dae(path, bytes, err);
    case FS_MESH_OBJ:
        return fs_mesh_check_obj(path, bytes, err);
    default:
        return fs_mesh_check_ply(path, bytes, err);
    }
}

static const struct aiScene *import(source *from) {
    struct aiFileIO io = {
        .OpenProc = open_file, .CloseProc = close_file, .UserData = (aiUserData)(void *)from};
    struct aiPropertyStore *store = aiCreatePropertyStore();
    aiSetImportPropertyInteger(store, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const struct aiScene *scene = aiImportFileExWithProperties(
        from->path,
        aiProcess_ValidateDataStructure | aiProcess_PreTransformVertices | aiProcess_OptimizeMeshes |
            aiProcess_Triangulate | aiProcess_SortByPType,
        &io, store);
    aiReleasePropertyStore(store);
    return scene;
}

static void try_import(void *from) {
    import(from);
}

fs_status fs_mesh_read_file(const char *path, bool normals, double albedo, fs_mesh_builder *b,
                            fs_error *err) {
    fs_mesh_format format;
    fs_mesh_bytes bytes;
    if (fs_mesh_format_of(path, &format, err) || fs_mesh_slurp(path, FS_MESH_FILE_MOST, &bytes, err))
        return err->status;
    source from = {.path = path, .bytes = &bytes};
    if (check_file(path, format, &bytes, err) == FS_OK &&
        fs_mesh_rehearse(path, bytes.size, &fs_mesh_patience_usual, try_import, &from, err) == FS_OK) {
        const struct aiScene *scene = import(&from);
        if (scene == NULL)
            fs_fail(err, FS_INPUT, "%s: %s", path, aiGetErrorString());
        else
            take(&from, scene, format, normals, albedo, b, err);
        aiReleaseImport(scene);
    }
    free(bytes.data);
    return err->status;
}
