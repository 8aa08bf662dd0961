/** A promise `isOpen` that resolves once the test calls `open`. */
export const makeGate = () => {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open: () => open() };
};
