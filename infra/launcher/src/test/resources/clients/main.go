package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"example.com/me/ligeiro"
)

func main() {
	baseURL, key, platform, webhook, newerURL := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	ctx := context.WithValue(context.Background(), ligeiro.ContextAccessToken, key)
	api := client(baseURL)

	cashin := ligeiro.NewCashinCreate("Maria Silva", "maria@example.com", "11987654321", "Order 77", "52998224725", "150.75", platform)
	cashin.SetReference("go")
	answer, _, err := api.TransactionsAPI.CreateCashin(ctx).CashinCreate(*cashin).IdempotencyKey("go").Execute()
	check(err)
	created := answer.Transaction[0]
	fmt.Println("created", created.Amount, created.Status)

	_, _, err = api.SandboxAPI.SandboxPay(ctx, created.Id).Execute()
	check(err)
	shown := created
	for shown.Status == "pending" {
		answer, _, err = api.TransactionsAPI.ShowTransaction(ctx, created.Id).Execute()
		check(err)
		shown = answer.Transaction[0]
	}
	fmt.Println("shown", shown.Status)

	page, _, err := api.TransactionsAPI.ListTransactions(ctx).Reference("go").Operation("cashin").Status("paid").Execute()
	check(err)
	fmt.Println("listed", page.Total, page.Transactions[0].Reference)

	body, err := os.ReadFile(webhook)
	check(err)
	var event ligeiro.TransactionEvent
	check(json.Unmarshal(body, &event))
	fmt.Println("webhook", event.Type, event.Data.GetPreviousStatus(), event.Data.Status)

	newer := client(newerURL)
	answer, _, err = newer.TransactionsAPI.ShowTransaction(ctx, created.Id).Execute()
	check(err)
	fmt.Println("newer", answer.Transaction[0].Status)
	_, response, err := newer.TransactionsAPI.CreateCashin(ctx).CashinCreate(*cashin).Execute()
	problem := err.(*ligeiro.GenericOpenAPIError).Model().(ligeiro.Problem)
	fmt.Println("newer", response.StatusCode, problem.Code)
}

func client(baseURL string) *ligeiro.APIClient {
	configuration := ligeiro.NewConfiguration()
	configuration.Servers = ligeiro.ServerConfigurations{{URL: baseURL}}
	return ligeiro.NewAPIClient(configuration)
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
