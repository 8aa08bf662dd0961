/** A user's text, which may have another writing direction than the page. */
export const UserText = ({ text }: { readonly text: string }) => <bdi dir="auto">{text}</bdi>;
