package dev.ligeiro.infra.launcher.endtoend;

import dev.ligeiro.infra.client.MerchantApi;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A request and the statuses of its transaction on the simulated rail, which depend on the operation and the cents of the amount. */
enum ExpectedLifecycle implements ConstantLoad.Kind {
    LEFT_PENDING(MerchantApi.CASHIN_PATH, "20.00", List.of("pending")),
    /** Its payer pays it some time after its creation. */
    PAID_BY_PAYER(MerchantApi.CASHIN_PATH, "30.00", List.of("pending", "paid")),
    PAID_AT_ONCE(MerchantApi.CASHIN_PATH, "20.11", List.of("pending", "paid")),
    DENIED(MerchantApi.CASHIN_PATH, "20.12", List.of("pending", "denied")),
    ANALYSED_AND_PAID(MerchantApi.CASHIN_PATH, "20.13", List.of("pending", "in_analysis", "paid")),
    ANALYSED_AND_DENIED(MerchantApi.CASHIN_PATH, "20.14", List.of("pending", "in_analysis", "denied")),
    EXPIRED_AT_ONCE(MerchantApi.CASHIN_PATH, "20.15", List.of("pending", "expired")),
    PAID_OUT(MerchantApi.CASHOUT_PATH, "20.00", List.of("pending", "in_process", "paid")),
    DENIED_OUT(MerchantApi.CASHOUT_PATH, "20.12", List.of("pending", "in_process", "denied")),
    ANALYSED_OUT(MerchantApi.CASHOUT_PATH, "20.13", List.of("pending", "in_analysis", "in_process", "paid")),
    TIMED_OUT_BUT_PAID(MerchantApi.CASHOUT_PATH, "20.16", List.of("pending", "in_process", "paid")),
    TIMED_OUT_AND_DENIED(MerchantApi.CASHOUT_PATH, "20.17", List.of("pending", "in_process", "denied")),
    SENT_BACK(MerchantApi.CASHOUT_PATH, "20.18", List.of("pending", "in_process", "paid", "refund"));

    private final String path;
    private final String amount;
    private final List<String> statuses;

    ExpectedLifecycle(String path, String amount, List<String> statuses) {
        this.path = path;
        this.amount = amount;
        this.statuses = statuses;
    }

    /** All of them in turn. */
    static ExpectedLifecycle ofNumber(int number) {
        return values()[number % values().length];
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public Map<String, Object> request(EndToEndMerchant merchant) {
        return path.equals(MerchantApi.CASHIN_PATH) ? merchant.cashin(amount) : merchant.cashout(amount);
    }

    @Override
    public HttpRequest.@Nullable Builder payment(EndToEndMerchant merchant, JsonNode created) {
        String id = created.required("id").asString();
        return this != PAID_BY_PAYER
                ? null
                : merchant.api()
                        .request(MerchantApi.sandboxPath(id, "pay"))
                        .POST(BodyPublishers.noBody())
                        .header("Idempotency-Key", "pay-" + id);
    }

    /** The oldest first. */
    List<String> statuses() {
        return statuses;
    }

    /** @param sequence of the webhook; the first is 1 */
    String webhookType(int sequence) {
        return sequence == 1 ? "transaction.created" : "transaction." + statuses.get(sequence - 1);
    }
}
