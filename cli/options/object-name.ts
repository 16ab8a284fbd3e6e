/** Whether a Job or a namespace can have this name. In the path of a URL, `.` and `..` lead to another resource. */
export function canBeName(text: string): boolean {
  return text !== "" && text !== "." && text !== "..";
}
