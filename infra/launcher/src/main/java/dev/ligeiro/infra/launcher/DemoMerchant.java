package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;

/** A merchant in test mode for a first try. Its transactions never reach a real rail. */
record DemoMerchant(String merchantId, String platformId, String apiKey) {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String MODE = "test";

    /**
     * The merchant of an earlier run if the gateway accepts its key, else a new one.
     *
     * @param file keeps the merchant
     */
    static DemoMerchant keptIn(Path file, String baseUrl, AdminApi admin) {
        if (Files.exists(file)) {
            DemoMerchant kept = read(file);
            if (kept.isAccepted(baseUrl)) {
                return kept;
            }
        }
        DemoMerchant created = create(admin);
        PrivateFile.write(file, JSON.writeValueAsString(created));
        return created;
    }

    private static DemoMerchant create(AdminApi admin) {
        String merchantId = admin.createMerchant("Demo merchant");
        String platformId = admin.createPlatform(merchantId, "Demo platform", MODE);
        return new DemoMerchant(merchantId, platformId, admin.createKey(merchantId, MODE));
    }

    private static DemoMerchant read(Path file) {
        try {
            return JSON.readValue(Files.readString(file), DemoMerchant.class);
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be read: " + e, e);
        }
    }

    /** The gateway does not know the key when the database is another one. */
    private boolean isAccepted(String baseUrl) {
        return new Api(baseUrl, apiKey).get(MerchantApi.TRANSACTIONS_PATH).status() != 401;
    }

    /** Without the API key. */
    @Override
    public String toString() {
        return "DemoMerchant[" + merchantId + "]";
    }
}
