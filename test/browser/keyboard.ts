import type { Locator, Page } from 'playwright-core';

/** Enough to pass a list of what other tests shared. */
const TABS_MAX = 1_500;

const SHOWS_FOCUS = `(() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return outlineStyle !== 'none' && outlineWidth !== '0px';
})()`;

/** A person who has a keyboard only. */
export function keyboardOf(page: Page) {
  const isAt = (target: Locator) =>
    target.evaluate((one) => one === one.ownerDocument.activeElement);
  /** Goes to an element with Tab. A ring, the browser's or the console's, has to show it. */
  const tabTo = async (target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
    await target.waitFor();
    for (let tabs = 0; !(await isAt(target)); tabs++) {
      if (tabs === TABS_MAX) throw new Error(`Tab does not reach ${target}.`);
      await page.keyboard.press(key);
    }
    if (!(await page.evaluate<boolean>(SHOWS_FOCUS)))
      throw new Error(`Nothing shows that the focus is on ${target}.`);
  };
  return {
    tabTo,
    press: async (target: Locator) => {
      await tabTo(target);
      await page.keyboard.press('Enter');
    },
    type: async (target: Locator, text: string) => {
      await tabTo(target);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
    tick: async (target: Locator) => {
      await tabTo(target);
      await page.keyboard.press('Space');
    },
    /** Chooses from a list with the arrow keys. */
    choose: async (target: Locator, label: string) => {
      await tabTo(target);
      const chosen = () =>
        target.evaluate((list) => (list as HTMLSelectElement).selectedOptions[0]?.label);
      for (let steps = 0; (await chosen()) !== label; steps++) {
        if (steps === TABS_MAX) throw new Error(`The list has no ${label}.`);
        await page.keyboard.press('ArrowDown');
      }
    },
    /** Chooses from the menu that is open. */
    pick: async (item: Locator) => {
      await item.waitFor();
      for (let steps = 0; !(await isAt(item)); steps++) {
        if (steps === TABS_MAX) throw new Error(`The arrow keys do not reach ${item}.`);
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
    },
    /** Whether something has the focus: after a dialog it is where it was before. */
    hasFocus: () => page.evaluate<boolean>('document.activeElement !== document.body'),
  };
}
