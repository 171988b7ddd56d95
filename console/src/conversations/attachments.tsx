import { IconFile, IconPaperclip, IconX } from '@tabler/icons-react';
import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { type Client, useClient } from 'urql';
import { UploadFileDocument } from '../generated/documents.ts';
import { download, readBlob } from '../ui/download.ts';
import { plural } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { notify } from '../ui/toasts.tsx';
import { sendChange } from '../ui/use-change.ts';
import { useKept } from '../ui/use-kept.ts';
import {
  ATTACHED_BYTES_MAX,
  ATTACHED_MAX,
  type Attached,
  kindOf,
  MESSAGE_CHARS_MAX,
} from './attached.ts';

const BYTES_MAX_TEXT = '5 MB';
const NONE: readonly Attached[] = [];

/** Pictures and files for the next message: uploaded as soon as they are chosen, and kept. */
export function useAttachments(conversationId: string) {
  const client = useClient();
  const { value: files, set } = useKept<readonly Attached[]>(
    `attached ${conversationId}`,
    () => NONE,
  );
  const [uploading, setUploading] = useState(0);
  const add = async (chosen: readonly File[]) => {
    const room = ATTACHED_MAX - files.length;
    if (chosen.length > room) notify(`At most ${plural(ATTACHED_MAX, 'file')} go with a message.`);
    const taken = chosen.slice(0, room);
    setUploading((count) => count + taken.length);
    for (const file of taken) {
      const done = await upload(client, file).catch(() => `${file.name} could not be read.`);
      if (typeof done === 'string') notify(done);
      else set((before) => [...before, done]);
      setUploading((count) => count - 1);
    }
  };
  return {
    files,
    isUploading: uploading > 0,
    add,
    remove: (uri: string) => set((before) => before.filter((file) => file.uri !== uri)),
    clear: () => set(NONE),
  };
}

/**
 * Takes files that are dropped anywhere on the page. Beside a place that takes them, the browser
 * would open a file in place of the page.
 * @returns whether files are dragged over the page
 */
export function useDrop(onDrop: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useRef(onDrop);
  take.current = onDrop;
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setOver(true);
    };
    // Between two elements of the page there is a next one; outside of it there is none.
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      setOver(false);
      take.current(filesOf(event.dataTransfer));
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return isOver;
}

/** The files of a paste. A text that a message does not take becomes one. */
export function pastedFiles(clipboard: DataTransfer): File[] {
  const text = clipboard.getData('text/plain');
  if (clipboard.files.length > 0 || text.length <= MESSAGE_CHARS_MAX) return [...clipboard.files];
  const file = new File([text], 'pasted text.txt', { type: 'text/plain' });
  if (file.size <= ATTACHED_BYTES_MAX)
    notify('The copied text is longer than a message may be, so it is attached as a file.');
  return [file];
}

/** The files that were dropped; a folder is named in a note. */
function filesOf({ items }: DataTransfer): File[] {
  return [...items].flatMap((item) => {
    const file = item.getAsFile();
    if (file === null) return [];
    if (item.webkitGetAsEntry()?.isDirectory !== true) return [file];
    notify(`${file.name} is a folder. Attach the files in it.`);
    return [];
  });
}

/** @returns the stored file, or a sentence that says why it was not taken */
async function upload(client: Client, file: File): Promise<Attached | string> {
  if (file.size > ATTACHED_BYTES_MAX)
    return `${file.name} is larger than ${BYTES_MAX_TEXT}, the most for one file.`;
  if (file.size === 0) return `${file.name} is empty.`;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = kindOf(file, bytes);
  if (kind === null) return `${file.name} is neither a picture, nor a PDF, nor text.`;
  const { data, problems } = await sendChange(client, UploadFileDocument, {
    input: { content: base64Of(bytes) },
  });
  const uri = data?.uploadFile.uri;
  if (uri == null) return problems[0]?.message ?? `${file.name} could not be stored.`;
  return { ...kind, uri, name: file.name };
}

const CHUNK = 32_768;

// Uint8Array.toBase64 is younger than the browsers that people have.
function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

/** The button that chooses files. */
export function AttachButton({ onChoose }: { readonly onChoose: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onChoose([...(target.files ?? [])]);
    target.value = '';
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Pictures and files to attach"
        onChange={choose}
      />
      <IconButton
        label={`Attach pictures or files, up to ${BYTES_MAX_TEXT} each`}
        onClick={() => input.current?.click()}
      >
        <IconPaperclip size={16} className="icon" />
      </IconButton>
    </>
  );
}

/** The files of the message that is being written. */
export function AttachedChips({
  files,
  isUploading,
  onRemove,
}: {
  readonly files: readonly Attached[];
  readonly isUploading: boolean;
  readonly onRemove: (uri: string) => void;
}) {
  if (files.length === 0 && !isUploading) return null;
  return (
    <div className="col gap-4">
      <ul className="row wrap attached" aria-label="Attached">
        {files.map((file) => (
          <li key={file.uri} className="tag attached-file">
            <IconFile size={14} className="icon" />
            <span className="clip">{file.name}</span>
            <IconButton
              label={`Remove ${file.name}`}
              className="tiny"
              onClick={() => onRemove(file.uri)}
            >
              <IconX size={13} className="icon" />
            </IconButton>
          </li>
        ))}
        {isUploading ? <li className="small dim">Uploading …</li> : null}
      </ul>
      {files.some(({ kind, mediaType }) => kind === 'image' || mediaType === 'application/pdf') ? (
        <p className="small dim">
          The model that comes with Aiden reads no pictures and no PDFs; its answer says so.
        </p>
      ) : null}
    </div>
  );
}

/** The pictures and files of a message that was sent. */
export function AttachedParts({ files }: { readonly files: readonly Attached[] }) {
  return (
    <ul className="row wrap attached" aria-label="Attached">
      {files.map((file) => (
        <li key={file.uri}>
          {file.kind === 'image' && file.uri.startsWith('ci-blob:') ? (
            <Picture file={file} />
          ) : (
            <SavedFile file={file} />
          )}
        </li>
      ))}
    </ul>
  );
}

function SavedFile({ file }: { readonly file: Attached }) {
  const client = useClient();
  const save = async () => {
    const problem = await download(client, file.uri, file.name);
    if (problem !== null) notify(problem);
  };
  // Elsewhere: it is named, and nothing is fetched from there.
  if (!file.uri.startsWith('ci-blob:'))
    return (
      <span className="tag attached-file" title={file.uri}>
        <IconFile size={14} className="icon" />
        <span className="clip">{file.name}</span>
      </span>
    );
  return (
    <button type="button" className="button tiny attached-file" onClick={() => void save()}>
      <IconFile size={14} className="icon" />
      <span className="clip">{file.name}</span>
    </button>
  );
}

/** Reads its bytes when it comes into sight. */
function Picture({ file }: { readonly file: Attached }) {
  const client = useClient();
  const place = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ readonly url: string } | { readonly fault: string } | null>(
    null,
  );
  const { uri, mediaType, name } = file;
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let isGone = false;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting !== true) return;
      observer.disconnect();
      void readBlob(client, uri).then(async (parts) => {
        const next =
          typeof parts === 'string'
            ? { fault: parts }
            : { url: await dataUrl(new Blob([...parts], { type: mediaType })) };
        if (!isGone) setShown(next);
      });
    });
    observer.observe(element);
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [client, uri, mediaType]);
  return (
    <div ref={place} className="attached-picture">
      {shown === null ? (
        <span className="small dim">{name}</span>
      ) : 'url' in shown ? (
        <img src={shown.url} alt={name} title={name} />
      ) : (
        <span className="small dim">
          {name}: {shown.fault}
        </span>
      )}
    </div>
  );
}

/** The policy of the page allows pictures from data only, not from objects of the page. */
function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
