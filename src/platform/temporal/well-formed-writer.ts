import proto from '@temporalio/proto';

interface TextWriter {
  string(text: string): unknown;
}

let isInstalled = false;

/**
 * Makes each text well formed before protobuf writes it for Temporal: ids, types, reasons, headers
 * and messages of failures. protobufjs writes half of a surrogate pair as bytes that are no UTF-8;
 * the core of the SDK then ends the Worker, and the server refuses the call (docs/decisions/0089).
 * Clients and Workers share this writer, and all that the SDK sends passes through it.
 */
export function writeWellFormedTexts(): void {
  if (isInstalled) return;
  isInstalled = true;
  const writer: TextWriter = Object.getPrototypeOf(proto.temporal.api.common.v1.Payload.encode({}));
  const write = writer.string;
  writer.string = function (text) {
    return write.call(this, text.toWellFormed());
  };
}
