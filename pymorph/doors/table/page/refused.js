// What a question comes to that was not answered.

export class Refused extends Error {
  constructor(answer) {
    const faults = answer?.errors ?? [];
    super(faults.map((fault) => fault.message ?? String(fault)).join("\n") || answer?.message || "no answer");
    this.answer = answer;
  }
}
