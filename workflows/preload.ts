// Run once per sandbox, before any workflow is in it, and frozen then: what all workflows share. Pure modules only, whose
// caches follow from their keys alone. Evaluating the expression engine anew for each run would cost each its first step.
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

// The SDK takes a stack trace of every promise, for its stack trace query. An ordinary step makes some ten of them, and ten
// frames each, looked up in the source map, cost more than all that the interpreter does.
Object.assign(Error, { stackTraceLimit: 3 });
