import { describe, expect, it } from 'vitest';
import { FairPlaces, NoPlace } from '../../src/common/fair-places.ts';

/** Takes a place for each owner, in this order. Returns the order in which they were served. */
function requests(places: FairPlaces, owners: readonly string[]) {
  const served: string[] = [];
  const ends: (() => void)[] = [];
  const all = owners.map(async (owner) => {
    const giveBack = await places.take(owner);
    served.push(owner);
    ends.push(giveBack);
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    served,
    all,
    settle,
    async endFirst() {
      ends.shift()?.();
      await settle();
    },
  };
}

describe('places that users share', () => {
  it('go to the users in turn, however many requests one of them has', async () => {
    const places = new FairPlaces({ places: 1, placesPerOwner: 1, waiting: 10 });
    const { served, settle, endFirst } = requests(places, ['eve', 'eve', 'eve', 'ann', 'bob']);
    await settle();
    expect(served).toEqual(['eve']);
    for (let count = 0; count < 4; count++) await endFirst();
    expect(served).toEqual(['eve', 'eve', 'ann', 'bob', 'eve']);
  });

  it('leave one user no more than the own share, also while others are free', async () => {
    const places = new FairPlaces({ places: 3, placesPerOwner: 2, waiting: 10 });
    const { served, settle, endFirst } = requests(places, ['eve', 'eve', 'eve', 'ann']);
    await settle();
    expect(served).toEqual(['eve', 'eve', 'ann']);
    await endFirst();
    expect(served).toEqual(['eve', 'eve', 'ann', 'eve']);
    expect(places.held).toBe(3);
  });

  it('are refused where too many wait: first to their user, then to all', async () => {
    const places = new FairPlaces({
      places: 1,
      placesPerOwner: 1,
      waiting: 3,
      waitingPerOwner: 2,
    });
    const { settle } = requests(places, ['eve', 'eve', 'eve', 'ann']);
    await settle();
    await expect(places.take('eve')).rejects.toMatchObject({ isOwn: true });
    await expect(places.take('bob')).rejects.toMatchObject({ isOwn: false });
    await expect(places.take('bob')).rejects.toThrow(/Try again/);
  });

  it('are refused at once to those that do not wait, and are free again afterwards', () => {
    const places = new FairPlaces({ places: 2, placesPerOwner: 1 });
    const giveBack = places.takeNow('eve');
    expect(() => places.takeNow('eve')).toThrow(NoPlace);
    places.takeNow('ann');
    expect(() => places.takeNow('bob')).toThrow(/Too many of these requests run/);
    giveBack();
    giveBack();
    expect(places.held).toBe(1);
    places.takeNow('bob');
    expect(() => places.takeNow('eve')).toThrow(NoPlace);
  });
});
