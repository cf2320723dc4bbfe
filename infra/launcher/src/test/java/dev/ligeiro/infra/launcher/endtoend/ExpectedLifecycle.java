package dev.ligeiro.infra.launcher.endtoend;

import dev.ligeiro.infra.client.MerchantApi;
import java.util.List;
import java.util.Map;

/** A request and the statuses of its transaction on the simulated rail, which depend on the operation and the cents of the amount. */
enum ExpectedLifecycle {
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

    /** The path of the request. */
    String path() {
        return path;
    }

    Map<String, Object> request(EndToEndMerchant merchant) {
        return path.equals(MerchantApi.CASHIN_PATH) ? merchant.cashin(amount) : merchant.cashout(amount);
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
