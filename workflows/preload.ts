// Modules that all workflows of a sandbox share. They are loaded once, before the first workflow,
// and frozen. Only pure modules may be here, whose caches depend on their keys alone. Without this
// each run would load the expression engine.
import '../src/common/id.ts';
import '../src/common/json.ts';
import '../src/common/limits.ts';
import '../src/expressions/condition.ts';
import '../src/expressions/interpolation.ts';
import '../src/processes/definition/plan.ts';
import '../src/common/tool-fault.ts';
import '../src/runs/run/run.ts';
import '../src/runs/end/run-error.ts';
import '../src/runs/steps/step-run.ts';

// The SDK takes a stack trace of every promise, for its stack trace query. A step makes about ten
// promises. Ten frames each, looked up in the source map, take longer than the interpreter itself.
Object.assign(Error, { stackTraceLimit: 3 });
