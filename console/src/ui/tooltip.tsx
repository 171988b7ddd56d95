import {
  cloneElement,
  type ReactElement,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** Attribute that holds the tooltip of an element. */
const TIP = 'data-tip';
const SHOW_MS = 250;
/** Time in ms to come from an element to its tooltip. */
const HIDE_MS = 120;
/** Distance in pixels from the element, and from the edges of the window. */
const GAP = 6;

/**
 * Gives an element a tooltip. It is an attribute only: a chat or a list has hundreds of them, and
 * `TooltipHost` draws the one that is shown.
 */
export function Tooltip({
  text,
  children,
}: {
  readonly text: string;
  readonly children: ReactElement<{ readonly [TIP]?: string }>;
}) {
  return cloneElement(children, { [TIP]: text });
}

/** Shows the tooltip of the element that the pointer or the keyboard is at. */
export function TooltipHost() {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const box = useRef<HTMLDivElement>(null);
  /** The anchor, for the listeners below. */
  const at = useRef(anchor);
  at.current = anchor;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const set = (next: Element | null, afterMs: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => setAnchor(next), afterMs);
    };
    const onPointer = ({ target, pointerType }: PointerEvent) => {
      if (pointerType === 'touch' || !(target instanceof Element)) return;
      if (box.current?.contains(target) === true) return clearTimeout(timer);
      const next = target.closest(`[${TIP}]`);
      // What has the focus keeps its own, also where it was scrolled away from under the pointer.
      if (next === null && at.current?.matches(':focus-visible') === true)
        return clearTimeout(timer);
      set(next, next === null ? HIDE_MS : SHOW_MS);
    };
    const onFocus = ({ target }: FocusEvent) => {
      const isAt = target instanceof Element && target.matches(`[${TIP}]:focus-visible`);
      set(isAt ? target : null, 0);
    };
    const hide = () => set(null, 0);
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' && event.key !== 'Enter') return;
      // The dialog below it stays open.
      if (event.key === 'Escape' && box.current !== null) event.stopPropagation();
      hide();
    };
    // A focused control may be scrolled into view, and keeps its tooltip.
    const onScroll = () => {
      if (at.current?.matches(':hover, :focus-visible') !== true) hide();
      else if (box.current !== null) place(box.current, at.current);
    };
    addEventListener('pointerover', onPointer);
    addEventListener('pointerdown', hide);
    addEventListener('focusin', onFocus);
    addEventListener('keydown', onKey, { capture: true });
    addEventListener('scroll', onScroll, { capture: true, passive: true });
    document.addEventListener('pointerleave', hide);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerover', onPointer);
      removeEventListener('pointerdown', hide);
      removeEventListener('focusin', onFocus);
      removeEventListener('keydown', onKey, { capture: true });
      removeEventListener('scroll', onScroll, { capture: true });
      document.removeEventListener('pointerleave', hide);
    };
  }, []);
  useLayoutEffect(() => {
    if (anchor !== null && box.current !== null) place(box.current, anchor);
  }, [anchor]);
  const text = anchor?.isConnected === true ? anchor.getAttribute(TIP) : null;
  return text === null ? null : (
    <div ref={box} role="tooltip" className="tooltip">
      {text}
    </div>
  );
}

/** Puts a tooltip above its element, or below it where there is no room. */
function place(box: HTMLElement, anchor: Element): void {
  const of = anchor.getBoundingClientRect();
  // Beside the right edge it would be narrower than its text.
  box.style.left = '0px';
  const { offsetWidth: width, offsetHeight: height, style } = box;
  const left = of.left + of.width / 2 - width / 2;
  const above = of.top - height - GAP;
  style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
  style.top = `${above < GAP ? of.bottom + GAP : above}px`;
}
