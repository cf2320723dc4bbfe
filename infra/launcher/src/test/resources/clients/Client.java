import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Consumer;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.SandboxApi;
import org.openapitools.client.api.TransactionsApi;
import org.openapitools.client.model.CashinCreate;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.Transaction;
import org.openapitools.client.model.TransactionEvent;
import org.openapitools.client.model.TransactionPage;

class Client {

    public static void main(String[] args) throws Exception {
        String key = args[1];
        ApiClient client = client(args[0], key);
        TransactionsApi transactions = new TransactionsApi(client);
        CashinCreate cashin = new CashinCreate()
                .name("Maria Silva")
                .email("maria@example.com")
                .phone("11987654321")
                .document("52998224725")
                .description("Order 77")
                .amount("150.75")
                .platform(UUID.fromString(args[2]))
                .reference("java");
        Transaction created = transactions.createCashin(cashin, "java").getTransaction().get(0);
        System.out.println("created " + created.getAmount() + " " + created.getStatus());

        new SandboxApi(client).sandboxPay(created.getId(), null, null);
        Transaction shown = created;
        while (shown.getStatus().equals("pending")) {
            shown = transactions.showTransaction(created.getId()).getTransaction().get(0);
        }
        System.out.println("shown " + shown.getStatus());

        TransactionPage page = transactions.listTransactions(
                null, "java", null, null, "cashin", "paid", null, null, null, null, null, null, null, null, null, null);
        System.out.println("listed " + page.getTotal() + " " + page.getTransactions().get(0).getReference());

        TransactionEvent event =
                client.getObjectMapper().readValue(Files.readString(Path.of(args[3])), TransactionEvent.class);
        System.out.println("webhook " + event.getType() + " " + event.getData().getPreviousStatus() + " "
                + event.getData().getStatus());

        TransactionsApi newer = new TransactionsApi(client(args[4], key));
        Transaction later = newer.showTransaction(created.getId()).getTransaction().get(0);
        System.out.println("newer " + later.getStatus());
        try {
            newer.createCashin(cashin, null);
        } catch (ApiException refused) {
            Problem problem = client.getObjectMapper().readValue(refused.getResponseBody(), Problem.class);
            System.out.println("newer " + refused.getCode() + " " + problem.getCode());
        }
    }

    private static ApiClient client(String baseUrl, String key) {
        Consumer<HttpRequest.Builder> withKey = request -> request.header("Authorization", "Bearer " + key);
        ApiClient client = new ApiClient();
        client.updateBaseUri(baseUrl);
        return client.setRequestInterceptor(withKey);
    }
}
