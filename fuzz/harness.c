/* SPDX-License-Identifier: Apache-2.0
 *
 * libFuzzer's entry into the core: hands each input to the function of targets.py that the environment variable TARGET
 * names. A Python exception, a failed check, or anything the sanitizers see is a finding.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static PyObject *target;

static void die(const char *what) {
    fprintf(stderr, "finding: %s\n", what);
    if (PyErr_Occurred())
        PyErr_Print();
    abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    const char *name = getenv("TARGET");
    PyObject *module;
    (void)argc;
    (void)argv;
    Py_Initialize();
    module = PyImport_ImportModule("targets");
    if (!module)
        die("targets.py cannot be imported");
    target = PyObject_CallMethod(module, "target", "s", name ? name : "parse");
    if (!target)
        die("there is no such target");
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    PyObject *result = PyObject_CallFunction(target, "y#", (const char *)data, (Py_ssize_t)size);
    if (!result)
        die("the target raised");
    Py_DECREF(result);
    return 0;
}
