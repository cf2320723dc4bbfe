package dev.ligeiro.gateway.auth;

import dev.ligeiro.gateway.fixture.StoredTransactions;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.transaction.Mode;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.bson.Document;

/** Stores live keys, because the admin API of a gateway without a live rail creates none. */
public final class LiveKeys {

    private LiveKeys() {}

    /** A new live key of the merchant with all scopes. */
    public static String store(TestMerchant merchant) {
        String key = ApiKey.generate(Mode.LIVE);
        try (StoredTransactions stored =
                new StoredTransactions(merchant.gateway().database())) {
            stored.insert(
                    "api_keys",
                    new Document("_id", UUID.randomUUID())
                            .append("hash", ApiKey.hash(key))
                            .append("merchantId", UUID.fromString(merchant.id()))
                            .append("mode", "LIVE")
                            .append("scopes", List.of("transactions:read", "transactions:write", "webhooks:manage"))
                            .append("createdAt", new Date()));
        }
        return key;
    }
}
