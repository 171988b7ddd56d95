import { z } from 'zod';
import { JsonValue, numberOrNull, textOrNull } from '../../common/stored.ts';
import { RUN_ERROR_CODES } from '../../common/tool-fault.ts';

/** An error as it is stored in runs, steps and entries. */
export const RunError = z.object({
  code: z.enum(RUN_ERROR_CODES),
  message: z.string(),
  stepId: textOrNull,
  details: JsonValue.nullable().default(null),
});
const usageOf = <T extends z.ZodType>(count: T) =>
  z.object({
    inputTokens: count,
    outputTokens: count,
    costUsd: numberOrNull,
    llmCalls: count,
    toolCalls: count,
  });
export const Usage = usageOf(z.number());
/** The usage in a row. Default 0; default of the cost: null. */
export const UsageRow = usageOf(z.number().default(0));

/** A part of a message's content; the room conversations knows its kinds. */
export const MessagePart = z.object({ type: z.string() }).catchall(JsonValue);
export type MessagePart = Readonly<z.infer<typeof MessagePart>>;
