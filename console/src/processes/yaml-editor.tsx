import { autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, isolateHistory, undo } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { nonce } from '../ui/nonce.ts';
import { completionsAt, type Known } from './completion.ts';
import type { TextFault } from './definition-text.ts';

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.definition(tags.propertyName), color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--ok)' },
  { tag: tags.comment, color: 'var(--text-3)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--wait)' },
]);

const LOOKS = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--bg)', color: 'var(--text)', fontSize: '12px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-gutters': {
    backgroundColor: 'var(--bg)',
    color: 'var(--text-3)',
    border: 'none',
    paddingLeft: '6px',
  },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  ['&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, ' +
    '.cm-selectionBackground']: { backgroundColor: 'var(--bg-active)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--bg)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
  },
});

/**
 * Text typed over a selection is put in by the editor. Left to do it, chromium keeps the colour of
 * the selected text in a style attribute, which the page's content security policy forbids.
 */
const TYPED_OVER = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const selection = view.contentDOM.ownerDocument.getSelection();
    if (event.inputType !== 'insertText' || event.data === null || !event.cancelable) return false;
    if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return false;
    const range = selection.getRangeAt(0);
    if (!view.contentDOM.contains(range.commonAncestorContainer)) return false;
    event.preventDefault();
    if (view.state.readOnly) return true;
    const from = view.posAtDOM(range.startContainer, range.startOffset);
    const to = view.posAtDOM(range.endContainer, range.endOffset);
    const insert = view.state.toText(event.data);
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  },
});

export interface EditorHandle {
  /** Changes the text as the editor has it now, as one step of its history; gives the new text. */
  change(edit: (before: string) => string): string | undefined;
  /** Takes the last change back; gives the new text. */
  undo(): string | undefined;
}

/** YAML with faults underlined where they are. */
export function YamlEditor({
  text,
  onChange,
  faults,
  known,
  handle,
}: {
  readonly handle: Ref<EditorHandle>;
  /** The first text. Later ones come from the editor, or through its handle. */
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly faults: readonly TextFault[];
  /** Names to complete. */
  readonly known: Known;
}) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const told = useRef(onChange);
  told.current = onChange;
  const names = useRef(known);
  names.current = known;
  const first = useRef(text);

  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: first.current,
        extensions: [
          EditorView.cspNonce.of(nonce),
          lineNumbers(),
          history(),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          autocompletion({ override: [(context) => complete(context, names.current)] }),
          yaml(),
          syntaxHighlighting(COLOURS),
          lintGutter(),
          LOOKS,
          TYPED_OVER,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Definition, as YAML', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) told.current(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useImperativeHandle(handle, () => ({
    change(edit) {
      const editor = view.current;
      if (editor === null) return undefined;
      const before = editor.state.doc.toString();
      const after = edit(before);
      const changes = changeBetween(before, after);
      // A step of its own, also where the user has just typed beside it.
      if (changes !== null) editor.dispatch({ changes, annotations: isolateHistory.of('full') });
      return after;
    },
    undo() {
      const editor = view.current;
      if (editor === null || !undo(editor)) return undefined;
      return editor.state.doc.toString();
    },
  }));

  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    const end = editor.state.doc.length;
    editor.dispatch(
      setDiagnostics(
        editor.state,
        faults.map(({ from, to, message, fix }) => ({
          from: Math.min(from, end),
          to: Math.min(to, end),
          severity: 'error' as const,
          message,
          ...(fix === undefined
            ? {}
            : {
                actions: [
                  {
                    name: `Write ${fix.insert}`,
                    apply: (target: EditorView) => target.dispatch({ changes: fix }),
                  },
                ],
              }),
        })),
      ),
    );
  }, [faults]);

  return <div ref={place} className="yaml-editor" />;
}

function complete({ state, pos, explicit }: CompletionContext, known: Known) {
  const found = completionsAt(state.doc.toString(), pos, known);
  if (found === null || (found.options.length === 0 && !explicit)) return null;
  return { ...found, options: [...found.options] };
}

/** The one replacement that makes one text of another; null where they are the same. */
function changeBetween(before: string, after: string) {
  if (before === after) return null;
  let from = 0;
  while (from < before.length && from < after.length && before[from] === after[from]) from += 1;
  let left = before.length;
  let right = after.length;
  while (left > from && right > from && before[left - 1] === after[right - 1]) {
    left -= 1;
    right -= 1;
  }
  return { from, to: left, insert: after.slice(from, right) };
}
