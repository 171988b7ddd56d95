// Loaded before each file of a project whose files share their modules. The schema is built once in
// a process, so the fields of the probes come first, whichever file builds it.
import './probe-schema.ts';
