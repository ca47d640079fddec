// Written by `git tdd agents install`, removed by `git tdd agents uninstall`.
// It asks git-tdd before an edit or a shell command, and when the agent stops.
// Without git-tdd on the PATH it lets everything pass: git's hooks and
// `git tdd verify` are the wall, this saves a round trip.
import { spawnSync } from "node:child_process"

const ask = (directory, call) => {
  const ran = spawnSync("git", ["tdd", "agent-hook", "opencode"], {
    cwd: directory, input: JSON.stringify({ cwd: directory, ...call }), encoding: "utf8", timeout: 10000,
  })
  try {
    return JSON.parse(ran.stdout || "{}")
  } catch {
    return {}
  }
}

export const GitTdd = async ({ client, directory }) => ({
  "tool.execute.before": async (input, output) => {
    const answer = ask(directory, { tool: input.tool, args: output.args, sessionID: input.sessionID })
    if (answer.deny) throw new Error(answer.deny)
  },
  event: async ({ event }) => {
    if (event.type !== "session.idle") return
    const id = event.properties.sessionID
    const answer = ask(directory, { sessionID: id })
    if (answer.again) {
      await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: answer.again }] } })
    }
  },
})
