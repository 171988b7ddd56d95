import {
  type Metadata,
  ServerInterceptingCall,
  type ServerInterceptor,
  type StatusObject,
} from '@grpc/grpc-js';
import { FairPlaces, type GiveBack, type PlaceLimits } from '../../common/fair-places.ts';
import type { Viewer } from '../../users/user.ts';

/** A call holds a message of 8 MiB at most and connections to Neo4j. */
export const CALLS: PlaceLimits = {
  places: 48,
  placesPerOwner: 8,
  waiting: 2_000,
  waitingPerOwner: 200,
};
/** A sender that takes longer for its message has given up: its part takes memory. */
const MESSAGE_MS_MAX = 30_000;
/** A reader that takes longer for its response keeps no other call waiting. */
const RESPONSE_MS_MAX = 30_000;

export interface FairCallsParts {
  /** The service whose calls are counted; those of health and reflection are not. */
  readonly service: string;
  /** Finds the caller by its metadata. Throws where the call is refused. */
  admit(metadata: Metadata): Promise<Viewer>;
  /** The status of a refused call. */
  statusOf(error: unknown, path: string): StatusObject;
  /** Status of a call whose message does not arrive in time. */
  readonly halfSent: (seconds: number) => StatusObject;
  readonly limits: PlaceLimits;
  /** Maximum time in ms for the message of a call; default 30,000. */
  readonly messageMsMax?: number | undefined;
}

/** The caller of an admitted call, and the call's place. */
interface Admitted {
  readonly viewer: Viewer;
  readonly place: CallPlace;
}

/**
 * Serves the calls of all users in turn. A call is signed in and gets its place before its message
 * is read, so messages of waiting calls take no memory.
 */
export function openFairCalls(parts: FairCallsParts) {
  const places = new FairPlaces(parts.limits);
  const admitted = new WeakMap<Metadata, Admitted>();
  const messageMsMax = parts.messageMsMax ?? MESSAGE_MS_MAX;

  const interceptor: ServerInterceptor = (method, call) => {
    if (!method.path.startsWith(`/${parts.service}/`)) return new ServerInterceptingCall(call);
    const place = new CallPlace();
    let arrival: NodeJS.Timeout | undefined;
    const admit = async (metadata: Metadata) => {
      const viewer = await parts.admit(metadata);
      place.hold(await places.take(viewer.userId));
      admitted.set(metadata, { viewer, place });
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata(metadata, receive) {
            admit(metadata).then(
              () => {
                const late = () => call.sendStatus(parts.halfSent(messageMsMax / 1_000));
                if (!place.isClosed) arrival = setTimeout(late, messageMsMax);
                receive(metadata);
              },
              (error: unknown) => call.sendStatus(parts.statusOf(error, method.path)),
            );
          },
          onReceiveHalfClose(receive) {
            clearTimeout(arrival);
            receive();
          },
          onCancel() {
            clearTimeout(arrival);
            place.close();
          },
        }),
    });
  };

  return {
    interceptor,
    /** Performs an admitted call. Its place is free when work and stream have ended. */
    async perform<T>(metadata: Metadata, work: (viewer: Viewer) => Promise<T>): Promise<T> {
      const found = admitted.get(metadata);
      if (found === undefined) throw new Error('This call was not admitted.');
      found.place.workBegins();
      try {
        return await work(found.viewer);
      } finally {
        found.place.workEnds();
      }
    },
  };
}

/**
 * The place of one call. A cancelled call keeps it until its work ends: else a client that cancels
 * at once could start any number of calls.
 */
class CallPlace {
  isClosed = false;
  #giveBack: GiveBack = () => {};
  #isWorking = false;

  hold(giveBack: GiveBack): void {
    this.#giveBack = giveBack;
    this.#freeIfOver();
  }
  workBegins(): void {
    this.#isWorking = true;
  }
  workEnds(): void {
    this.#isWorking = false;
    this.#freeIfOver();
    // The response is on its way to a reader that may read slowly.
    if (!this.isClosed) setTimeout(() => this.#giveBack(), RESPONSE_MS_MAX).unref();
  }
  /** The stream has ended, with a status or by the client. */
  close(): void {
    this.isClosed = true;
    this.#freeIfOver();
  }
  #freeIfOver(): void {
    if (this.isClosed && !this.#isWorking) this.#giveBack();
  }
}
