// Runs before each file that asks the running app. The schema is built once in a process, so the
// fields of the probes come first, whichever file builds it. This file is loaded anew each time,
// the modules that it imports are not.
import './probe-schema.ts';
