package dev.ligeiro.infra.standalone.endtoend;

import dev.ligeiro.infra.client.MerchantApi;
import java.util.List;
import java.util.Map;

/** The statuses that a transaction takes on the simulated rail, which decides by the operation and the cents of the amount. */
enum ExpectedCourse {
    PAID_AT_ONCE(MerchantApi.CASHIN_PATH, "20.11", List.of("pending", "paid")),
    DENIED(MerchantApi.CASHIN_PATH, "20.12", List.of("pending", "denied")),
    LEFT_PENDING(MerchantApi.CASHIN_PATH, "20.00", List.of("pending")),
    PAID_OUT(MerchantApi.CASHOUT_PATH, "20.00", List.of("pending", "in_process", "paid"));

    private final String path;
    private final String amount;
    private final List<String> statuses;

    ExpectedCourse(String path, String amount, List<String> statuses) {
        this.path = path;
        this.amount = amount;
        this.statuses = statuses;
    }

    /** Where it is created. */
    String path() {
        return path;
    }

    Map<String, Object> request(Merchant merchant) {
        return path.equals(MerchantApi.CASHIN_PATH) ? merchant.cashin(amount) : merchant.cashout(amount);
    }

    /** All of them, the oldest first. */
    List<String> statuses() {
        return statuses;
    }

    /** The type of the webhook with this sequence, which starts at 1. */
    String webhookType(int sequence) {
        return sequence == 1 ? "transaction.created" : "transaction." + statuses.get(sequence - 1);
    }
}
