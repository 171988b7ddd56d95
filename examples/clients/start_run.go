// Starts the Process chat and follows the run to its output. Needs nothing but Go's standard library.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
)

type object map[string]any

// send posts an operation; accept chooses one answer or server-sent events.
func send(query string, variables object, accept string) *http.Response {
	url := os.Getenv("AIDEN_URL")
	if url == "" {
		url = "http://127.0.0.1:4000"
	}
	body, _ := json.Marshal(object{"query": query, "variables": variables})
	request, err := http.NewRequest("POST", url+"/graphql", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("AIDEN_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", accept)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	return response
}

// ask reads the data of a query or mutation into data.
func ask(query string, variables object, data any) {
	response := send(query, variables, "application/json")
	defer response.Body.Close()
	var answer struct {
		Data   json.RawMessage
		Errors json.RawMessage
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || answer.Errors != nil {
		log.Fatal(err, string(answer.Errors))
	}
	if err := json.Unmarshal(answer.Data, data); err != nil {
		log.Fatal(err)
	}
}

func main() {
	var found struct{ Processes struct{ Nodes []struct{ Id string } } }
	ask(`{ processes(name: "chat") { nodes { id } } }`, nil, &found)

	message := object{"role": "user", "content": "Ada lives in Turin. Where does Ada live?"}
	input := object{
		"processId": found.Processes.Nodes[0].Id,
		"context":   object{"messages": []object{message}},
	}
	var started struct{ StartProcessRun struct{ Run struct{ Id string } } }
	ask(`mutation ($input: StartProcessRunInput!) {
		startProcessRun(input: $input) { run { id } userErrors { message path } }
	}`, object{"input": input}, &started)

	stream := send(
		"subscription ($id: ID!) { processRun(id: $id) { status output } }",
		object{"id": started.StartProcessRun.Run.Id},
		"text/event-stream",
	)
	defer stream.Body.Close()
	var event struct{ Data struct{ ProcessRun struct{ Status, Output string } } }
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
		if data, isData := strings.CutPrefix(lines.Text(), "data: {"); isData {
			if err := json.Unmarshal([]byte("{"+data), &event); err != nil {
				log.Fatal(err)
			}
		}
	}
	fmt.Println(event.Data.ProcessRun.Status, event.Data.ProcessRun.Output)
}
