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
      set(next, next === null ? HIDE_MS : SHOW_MS);
    };
    const onFocus = ({ target }: FocusEvent) => {
      const isAt = target instanceof Element && target.matches(`[${TIP}]:focus-visible`);
      set(isAt ? target : null, 0);
    };
    const hide = () => set(null, 0);
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape' || key === 'Enter') hide();
    };
    addEventListener('pointerover', onPointer);
    addEventListener('pointerdown', hide);
    addEventListener('focusin', onFocus);
    addEventListener('keydown', onKey);
    addEventListener('scroll', hide, { capture: true, passive: true });
    document.addEventListener('pointerleave', hide);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerover', onPointer);
      removeEventListener('pointerdown', hide);
      removeEventListener('focusin', onFocus);
      removeEventListener('keydown', onKey);
      removeEventListener('scroll', hide, { capture: true });
      document.removeEventListener('pointerleave', hide);
    };
  }, []);
  useLayoutEffect(() => {
    if (anchor === null || box.current === null) return;
    const of = anchor.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height, style } = box.current;
    const left = of.left + of.width / 2 - width / 2;
    const above = of.top - height - GAP;
    style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
    style.top = `${above < GAP ? of.bottom + GAP : above}px`;
  }, [anchor]);
  const text = anchor?.isConnected === true ? anchor.getAttribute(TIP) : null;
  return text === null ? null : (
    <div ref={box} role="tooltip" className="tooltip">
      {text}
    </div>
  );
}
