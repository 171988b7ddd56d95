import { GraphQLError } from 'graphql';
import { builder } from '../../schema/builder.ts';
import { pageArgs, pageCost } from '../../schema/connection.ts';
import { viewerOf } from '../../schema/context.ts';
import { payload, payloadType } from '../../schema/payload.ts';
import { User } from '../../schema/users/users.ts';
import { problem, Refusal } from '../../src/common/refusal.ts';

// Fields that behave on demand, for tests of the server itself. Only in processes that import this
// file.

/**
 * How many `probeTicks` are listened to in this process, how many ticks were taken from all of
 * them, and how many `probeHeld` wait; `release` answers those.
 */
export const probe = { listeners: 0, taken: 0, held: 0, release: () => {} };
let gate = Promise.resolve();
/** Closes the gate of `probeHeld` until `probe.release()`. */
export function holdProbes(): void {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate = promise;
  probe.release = resolve;
}

const ProbePayload = payloadType('ProbePayload', 'user', User);

builder.queryFields((t) => ({
  probeFail: t.boolean({
    description: 'Fails as asked.',
    args: {
      how: t.arg.string({ required: true, description: 'defect, refusal, coded or nothing' }),
    },
    resolve: (_root, { how }) => {
      if (how === 'defect') throw new Error('password=hunter2 in a stack nobody should see');
      if (how === 'refusal') throw new Refusal([problem('INVALID', ['after'], 'No such place.')]);
      if (how === 'coded')
        throw new GraphQLError('No.', { extensions: { code: 'SOMETHING_ELSE' } });
      return true;
    },
  }),
  probeAdmin: t.boolean({
    description: 'For admins.',
    authScopes: { admin: true },
    resolve: () => true,
  }),
  probeUsers: t.field({
    type: [User],
    description: 'A priced list.',
    complexity: pageCost,
    args: pageArgs(t),
    resolve: () => [],
  }),
  probeHeld: t.boolean({
    description: 'Answers when the test opens the gate.',
    resolve: async () => {
      probe.held += 1;
      await gate;
      probe.held -= 1;
      return true;
    },
  }),
  probeEcho: t.field({
    type: 'JSON',
    nullable: true,
    description: 'Gives back what it got.',
    args: {
      json: t.arg({ type: 'JSON', description: 'Anything.' }),
      object: t.arg({ type: 'JSONObject', description: 'An object.' }),
      at: t.arg({ type: 'DateTime', description: 'A moment.' }),
    },
    resolve: (_root, { json, object, at }) => json ?? object ?? at ?? null,
  }),
}));

builder.mutationFields((t) => ({
  probeWrite: t.field({
    type: ProbePayload,
    description: 'Refuses or not, as asked.',
    args: {
      refuse: t.arg.boolean({ required: true, description: 'Whether to.' }),
      size: t.arg.string({ description: 'Any text.' }),
    },
    resolve: (_root, { refuse }, context) =>
      payload('user', async () => {
        if (refuse)
          throw new Refusal([
            problem('TAKEN', ['name'], 'Taken.'),
            problem('INVALID', ['steps', 0], 'Bad.'),
          ]);
        return viewerOf(context).userId as never;
      }),
  }),
}));

builder.subscriptionFields((t) => ({
  probeTicks: t.int({
    description: 'Counts to `count`, then either ends or stays quiet.',
    args: {
      count: t.arg.int({ required: true, description: 'How far.' }),
      quiet: t.arg.boolean({ description: 'Whether to stay open without a word.' }),
      fail: t.arg.boolean({ description: 'Whether to break at the end.' }),
    },
    subscribe: (_root, { count, quiet, fail }) => ticks(count, quiet === true, fail === true),
    resolve: (tick) => tick as number,
  }),
}));

function ticks(count: number, quiet: boolean, fail: boolean): AsyncIterableIterator<number> {
  let tick = 0;
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  probe.listeners += 1;
  let ended = false;
  const end = () => {
    if (!ended) probe.listeners -= 1;
    ended = true;
    return { done: true, value: undefined } as const;
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (tick < count) {
        probe.taken += 1;
        return { done: false, value: tick++ };
      }
      if (fail) {
        end();
        throw new Error('the source broke');
      }
      if (quiet) await left;
      else end();
      return { done: true, value: undefined };
    },
    async return() {
      leave();
      return end();
    },
  };
}
