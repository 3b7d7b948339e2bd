/* Mesh files through assimp's C interface, with the steps that the public program asks for (IRL,
 * scene_utils.cpp). The library reads from memory what has been looked at, and opens no file of its own. */
#include "sim/base/detmath.h"
#include "workloads/scene/mesh/files_private.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- files for the library ---- */

typedef struct opened {
    struct aiFile face;
    const fs_mesh_bytes *bytes;
    size_t at;
} opened;

static size_t read_some(struct aiFile *file, char *to, size_t size, size_t count) {
    opened *o = (opened *)(void *)file->UserData;
    const size_t left = size == 0 ? 0 : (o->bytes->size - o->at) / size, n = count < left ? count : left;
    memcpy(to, o->bytes->data + o->at, n * size);
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
    return ((const opened *)(void *)file->UserData)->bytes->size;
}

static enum aiReturn seek_to(struct aiFile *file, size_t offset, enum aiOrigin from) {
    opened *o = (opened *)(void *)file->UserData;
    const size_t base = from == aiOrigin_SET ? 0 : from == aiOrigin_CUR ? o->at : o->bytes->size;
    const size_t to = base + offset; /* offsets back are large numbers that wrap */
    if (to > o->bytes->size)
        return aiReturn_FAILURE;
    o->at = to;
    return aiReturn_SUCCESS;
}

static void flush_nothing(struct aiFile *file) {
    (void)file;
}

/* The scene itself, or for any other name the material libraries of an OBJ. */
static const fs_mesh_bytes *bytes_of(const fs_mesh_source *from, const char *name) {
    return strcmp(name, from->path) == 0 ? &from->bytes : from->side.size > 0 ? &from->side : NULL;
}

static struct aiFile *open_file(struct aiFileIO *io, const char *name, const char *mode) {
    const fs_mesh_bytes *bytes = bytes_of((const fs_mesh_source *)(void *)io->UserData, name);
    if (mode[0] != 'r' || bytes == NULL)
        return NULL;
    opened *o = fs_calloc(1, sizeof *o);
    o->bytes = bytes;
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
    (void)io;
    free((opened *)(void *)file->UserData);
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
 * it for opaque materials too. shining: shininess multiplies emission (IRL, neural_path_tracing.md 2), but not in a
 * GLB, where the library makes it of roughness. */
static fs_material material_of(const struct aiMaterial *from, bool shining) {
    fs_material m = {.ior = 1.52f, .kind = FS_MATERIAL_DIFFUSE};
    struct aiString name;
    float number = 0;
    colour_of(from, "$clr.diffuse", m.albedo);
    if (colour_of(from, "$clr.emissive", m.emission) && shining &&
        number_of(from, "$mat.shininess", &number) && number > 0)
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

static void add_materials(const struct aiScene *from, const fs_mesh_source *file, double albedo,
                          fs_mesh_builder *b) {
    fs_material *all = fs_calloc(from->mNumMaterials + 1, sizeof *all);
    for (unsigned m = 0; m < from->mNumMaterials; m++)
        all[m] = material_of(from->mMaterials[m], file->format != FS_MESH_GLB);
    if (file->format == FS_MESH_GLB)
        fs_mesh_glb_materials(&file->bytes, all, from->mNumMaterials);
    for (unsigned m = 0; m < from->mNumMaterials; m++) {
        if (is_default(from, m, file->format, &file->bytes)) {
            all[m] = (fs_material){.ior = 1.52f, .kind = FS_MATERIAL_DIFFUSE};
            all[m].albedo[0] = all[m].albedo[1] = all[m].albedo[2] = (float)albedo;
        }
        fs_mesh_add_material(b, &all[m]);
    }
    free(all);
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

/* ---- the camera ---- */

static const struct aiNode *node_named(const struct aiNode *node, const char *name) {
    const struct aiNode *found = strcmp(node->mName.data, name) == 0 ? node : NULL;
    for (unsigned c = 0; found == NULL && c < node->mNumChildren; c++)
        found = node_named(node->mChildren[c], name);
    return found;
}

/* Where the camera of a Collada file stands, by the nodes as they are before the library takes them out. */
static fs_status place_dae_camera(const char *path, const struct aiScene *from,
                                  const fs_mesh_dae_camera *camera, fs_mesh_camera *out, fs_error *err) {
    const char *name = camera->node;
    if (name[0] == '\0' && from->mNumCameras == 1)
        name = from->mCameras[0]->mName.data;
    const struct aiNode *node = from->mRootNode == NULL ? NULL : node_named(from->mRootNode, name);
    if (node == NULL)
        return fs_fail(err, FS_INPUT, "%s: the node of its camera has no id, and there are several cameras",
                       path);
    struct aiMatrix4x4 all = node->mTransformation;
    for (node = node->mParent; node != NULL; node = node->mParent) {
        struct aiMatrix4x4 above = node->mTransformation;
        aiMultiplyMatrix4(&above, &all);
        all = above;
    }
    double column[4][3] = {{(double)all.a1, (double)all.b1, (double)all.c1},
                           {(double)all.a2, (double)all.b2, (double)all.c2},
                           {(double)all.a3, (double)all.b3, (double)all.c3},
                           {(double)all.a4, (double)all.b4, (double)all.c4}};
    out->fov = camera->fov;
    out->across = camera->across;
    return fs_mesh_place_camera(path, column, out, err);
}

fs_status fs_mesh_place_camera(const char *path, double column[4][3], fs_mesh_camera *out, fs_error *err) {
    double forward[3], up[3], right[3], length[2] = {0, 0}, along = 0, mirrored = 0;
    for (int a = 0; a < 3; a++) {
        forward[a] = -column[2][a];
        length[0] += forward[a] * forward[a];
    }
    for (int a = 0; a < 3; a++)
        along += column[1][a] * forward[a] / length[0];
    for (int a = 0; a < 3; a++) {
        up[a] = column[1][a] - along * forward[a];
        length[1] += up[a] * up[a];
    }
    for (int a = 0; a < 3; a++) {
        right[a] = forward[(a + 1) % 3] * up[(a + 2) % 3] - forward[(a + 2) % 3] * up[(a + 1) % 3];
        mirrored += right[a] * column[0][a];
    }
    float sum = 0;
    for (int a = 0; a < 3; a++) {
        out->position[a] = (float)column[3][a];
        out->forward[a] = (float)(forward[a] / sqrt(length[0]));
        out->up[a] = (float)(up[a] / sqrt(length[1]));
        sum += out->position[a] + out->forward[a] + out->up[a];
    }
    if (!isfinite(sum) || !(out->fov > 0.001f && out->fov < 3.1f))
        return fs_fail(err, FS_INPUT,
                       "%s: its camera has no direction, or sees over %g degrees; allowed are 0.1 to 177",
                       path, (double)out->fov / FS_DEGREE);
    return mirrored > 0
               ? FS_OK
               : fs_fail(err, FS_INPUT, "%s: a node mirrors its camera; such pictures are not made", path);
}

/* From in front of everything. */
static void usual_camera(fs_mesh_builder *b) {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t v = 0; v < b->scene.vertices; v++)
        for (int a = 0; a < 3; a++) {
            low[a] = fminf(low[a], b->scene.vertex[v][a]);
            high[a] = fmaxf(high[a], b->scene.vertex[v][a]);
        }
    const float reach = fmaxf(high[0] - low[0], high[1] - low[1]);
    b->scene.camera = (fs_mesh_camera){
        .position = {0.5f * (low[0] + high[0]), 0.5f * (low[1] + high[1]), high[2] + 1.5f * reach},
        .forward = {0, 0, -1},
        .up = {0, 1, 0},
        .fov = (float)(FS_PI / 4)};
}

/* `raw`: as the library read it, with its nodes. */
static fs_status find_camera(const fs_mesh_source *file, const struct aiScene *raw, fs_mesh_camera *out,
                             bool *found, fs_error *err) {
    if (file->format == FS_MESH_GLB)
        return fs_mesh_glb_camera(file->path, &file->bytes, out, found, err);
    fs_mesh_dae_camera camera = {.found = false};
    if (file->format == FS_MESH_DAE && fs_mesh_find_dae_camera(file->path, &file->bytes, &camera, err))
        return err->status;
    *found = camera.found;
    return camera.found ? place_dae_camera(file->path, raw, &camera, out, err) : FS_OK;
}

/* ---- a file ---- */

static fs_status take(const fs_mesh_source *file, const struct aiScene *from, bool normals, double albedo,
                      fs_mesh_builder *b, fs_error *err) {
    const char *path = file->path;
    bool all_have = normals;
    for (unsigned m = 0; m < from->mNumMeshes; m++)
        all_have = all_have && from->mMeshes[m]->mNormals != NULL;
    if (from->mNumMeshes == 0)
        return fs_fail(err, FS_INPUT, "%s: no mesh; a scene has at least one", path);
    add_materials(from, file, albedo, b);
    for (unsigned m = 0; m < from->mNumMeshes; m++) {
        if (from->mMeshes[m]->mMaterialIndex >= from->mNumMaterials)
            return fs_fail(err, FS_INPUT, "%s: mesh %u has no material", path, m);
        if (add_mesh(path, from, m, all_have, b, err))
            return err->status;
    }
    return FS_OK;
}

fs_status fs_mesh_check(fs_mesh_source *file, fs_error *err) {
    switch (file->format) {
    case FS_MESH_GLB:
        return fs_mesh_check_glb(file->path, &file->bytes, err);
    case FS_MESH_DAE:
        return fs_mesh_check_dae(file->path, &file->bytes, err);
    case FS_MESH_OBJ:
        return fs_mesh_check_obj(file, err);
    default:
        return fs_mesh_check_ply(file->path, &file->bytes, err);
    }
}

static const struct aiScene *import_raw(const fs_mesh_source *from) {
    struct aiFileIO io = {
        .OpenProc = open_file, .CloseProc = close_file, .UserData = (aiUserData)(uintptr_t)from};
    struct aiPropertyStore *store = aiCreatePropertyStore();
    aiSetImportPropertyInteger(store, AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
    const struct aiScene *scene =
        aiImportFileExWithProperties(from->path, aiProcess_ValidateDataStructure, &io, store);
    aiReleasePropertyStore(store);
    return scene;
}

/* All meshes where their nodes place them, of triangles alone. */
static const struct aiScene *flatten(const struct aiScene *raw) {
    return raw == NULL
               ? NULL
               : aiApplyPostProcessing(raw, aiProcess_PreTransformVertices | aiProcess_OptimizeMeshes |
                                                aiProcess_Triangulate | aiProcess_SortByPType);
}

static void try_import(void *from) {
    flatten(import_raw(from));
}

static void import(const fs_mesh_source *file, bool normals, bool camera, double albedo, fs_mesh_builder *b,
                   fs_error *err) {
    bool found = false;
    const struct aiScene *scene = import_raw(file);
    if (scene != NULL && camera)
        find_camera(file, scene, &b->scene.camera, &found, err);
    scene = flatten(scene);
    if (scene == NULL)
        fs_fail(err, FS_INPUT, "%s: %s", file->path, aiGetErrorString());
    else if (err->status == FS_OK && take(file, scene, normals, albedo, b, err) == FS_OK && !found)
        usual_camera(b);
    aiReleaseImport(scene);
}

fs_status fs_mesh_read_file(const char *path, bool normals, bool camera, double albedo, fs_mesh_builder *b,
                            fs_error *err) {
    fs_mesh_source file = {.path = path};
    if (fs_mesh_format_of(path, &file.format, err) == FS_OK &&
        fs_mesh_slurp(path, FS_MESH_FILE_MOST, &file.bytes, err) == FS_OK &&
        fs_mesh_check(&file, err) == FS_OK &&
        fs_mesh_rehearse(path, file.bytes.size, &fs_mesh_patience_usual, try_import, &file, err) == FS_OK)
        import(&file, normals, camera, albedo, b, err);
    free(file.bytes.data);
    free(file.side.data);
    return err->status;
}
