/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer's view of the parser: any bytes in, a tree out that keeps its promises.
 *
 * Two documents parse every input: a new one with the default limits, whose arrays have no room left over from another page, and one with
 * tiny limits that is reused. After each parse the tree is verified, all text and attributes are read (checksum), and now
 * and then it is written out. A Python exception, a broken promise, or anything the sanitizers see is a finding.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static PyObject *document_type, *limited;

static void die(const char *what) {
    fprintf(stderr, "finding: %s\n", what);
    if (PyErr_Occurred())
        PyErr_Print();
    abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    PyObject *module, *empty, *limits;
    (void)argc;
    (void)argv;
    Py_Initialize();
    module = PyImport_ImportModule("thresher.native.parsing.document");
    if (!module)
        die("the core cannot be imported");
    document_type = PyObject_GetAttrString(module, "Document");
    empty = PyTuple_New(0);
    limits = Py_BuildValue("{s:i,s:i,s:i,s:i}", "max_bytes", 3000, "max_nodes", 300, "max_depth", 8, "max_attributes", 60);
    limited = PyObject_Call(document_type, empty, limits);
    if (!limited)
        die("no document");
    return 0;
}

static void check(PyObject *document, PyObject *page, int write) {
    PyObject *result = PyObject_CallMethod(document, "parse", "O", page);
    if (!result)
        die("parse raised");
    Py_DECREF(result);
    result = PyObject_CallMethod(document, "verify", NULL);
    if (!result)
        die("verify raised");
    if (PyUnicode_GetLength(result) != 0)
        die(PyUnicode_AsUTF8(result));
    Py_DECREF(result);
    result = PyObject_CallMethod(document, write ? "dump" : "checksum", NULL);
    if (!result)
        die("reading the tree raised");
    Py_DECREF(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static unsigned count;
    /* The bytes object ends where the page does, but for one NUL: copied to the heap, a read past the end is seen. */
    uint8_t *copy = malloc(size ? size : 1);
    PyObject *page, *fresh = PyObject_CallNoArgs(document_type);
    if (!copy || !fresh)
        die("no memory");
    memcpy(copy, data, size);
    page = PyMemoryView_FromMemory((char *)copy, (Py_ssize_t)size, PyBUF_READ);
    count++;
    check(fresh, page, count % 16 == 0);
    check(limited, page, count % 16 == 8);
    Py_DECREF(fresh);
    Py_DECREF(page);
    /* A document keeps its page alive; give it another one before the copy goes. */
    page = PyBytes_FromStringAndSize("", 0);
    check(limited, page, 0);
    Py_DECREF(page);
    free(copy);
    return 0;
}
