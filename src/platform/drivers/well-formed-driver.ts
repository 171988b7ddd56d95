import type { Json } from '../../common/json.ts';
import { wellFormedJson, wholeCharacters } from '../../common/well-formed.ts';
import type { OperationType } from '../../operations/operation.ts';
import type { DriverCall, ToolDriver } from './driver.ts';

/**
 * A driver whose texts are well formed in both directions: inputs, output, the calls that a model
 * requests, and streamed text, which passes in whole characters. A half of a pair would be refused
 * by a strict server, throw in an address, or end a Temporal Worker.
 */
export function wellFormedDriver<T extends OperationType>(driver: ToolDriver<T>): ToolDriver<T> {
  const invoke: ToolDriver<T>['invoke'] = async (call) => {
    const streams = wholeStreams(call);
    try {
      const { output, toolCalls, thought, ...rest } = await driver.invoke({
        ...call,
        operation: wellFormedJson(call.operation),
        inputs: wellFormedJson(call.inputs),
        ...(call.agent === undefined ? {} : { agent: wellFormedJson(call.agent) }),
        ...streams.call,
      });
      return {
        ...rest,
        output: wellFormedJson(output),
        ...(toolCalls === undefined ? {} : { toolCalls: wellFormedJson(toolCalls) }),
        ...(thought === undefined ? {} : { thought: thought.toWellFormed() }),
      };
    } finally {
      streams.flush();
    }
  };
  return { ...driver, invoke };
}

type Streams = Pick<DriverCall, 'onText' | 'onReasoning' | 'onReset' | 'onProgress'>;

function wholeStreams({ onText, onReasoning, onReset, onProgress }: Streams): {
  readonly call: Streams;
  flush(): void;
} {
  const text = wholeCharacters(onText ?? (() => {}));
  const reasoning = wholeCharacters(onReasoning ?? (() => {}));
  return {
    call: {
      ...(onText === undefined ? {} : { onText: text.push }),
      ...(onReasoning === undefined ? {} : { onReasoning: reasoning.push }),
      ...(onReset === undefined
        ? {}
        : {
            onReset() {
              text.reset();
              onReset();
            },
          }),
      ...(onProgress === undefined
        ? {}
        : { onProgress: (content: Json) => onProgress(wellFormedJson(content)) }),
    },
    flush() {
      text.flush();
      reasoning.flush();
    },
  };
}
