const PATHS = {
  warning: "M8 2.2L14.5 13.5h-13zM8 6.5v3.2M8 11.6v0",
  theme: "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
  help: "M8 14.3A6.3 6.3 0 1 0 8 1.7a6.3 6.3 0 0 0 0 12.6zM6.2 6.3a1.9 1.9 0 1 1 2.6 1.8c-.6.3-.8.6-.8 1.2M8 11.6v0",
  info: "M8 14.3A6.3 6.3 0 1 0 8 1.7a6.3 6.3 0 0 0 0 12.6zM8 7.3v3.6M8 4.9v0",
  cross: "M4 4l8 8M12 4l-8 8",
  close: "M4 4l8 8M12 4l-8 8",
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg
      viewBox="0 0 16 16"
      width="14"
      height="14"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
