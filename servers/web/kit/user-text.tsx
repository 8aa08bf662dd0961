/** A user's text, which may have another writing direction than the page. */
export const UserText = ({ text, bold = false }: { readonly text: string; readonly bold?: boolean }) => {
  const isolated = <bdi dir="auto">{text}</bdi>;
  return bold ? <b>{isolated}</b> : isolated;
};
