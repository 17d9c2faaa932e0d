// What the suites share: where the server is, and a plain request.
export const url = process.env.SOMNOGRAPH_URL;
export const guardedURL = process.env.SOMNOGRAPH_GUARDED_URL;
if (!url) throw new Error("SOMNOGRAPH_URL must name the endpoint, such as http://127.0.0.1:8420/graphql");

export const socketURL = url.replace(/^http/, "ws");
export const guardedSocketURL = guardedURL?.replace(/^http/, "ws");

export async function ask(query, variables) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const answer = await response.json();
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  return answer.data;
}

export async function remember(content) {
  const data = await ask(
    `mutation ($input: RememberInput!) { remember(input: $input) { memory { id } } }`,
    { input: { content, consent: "EXPLICIT", onDuplicate: "INSERT" } },
  );
  return data.remember.memory.id;
}
