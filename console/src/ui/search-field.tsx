/** A field whose text narrows a list. `label` names the list for those who don't see it. */
export function SearchField({
  label,
  placeholder = 'Search',
  value,
  onSet,
}: {
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly onSet: (text: string) => void;
}) {
  return (
    <input
      type="search"
      className="input"
      dir="auto"
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={({ target }) => onSet(target.value)}
    />
  );
}
