package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.infra.client.MerchantApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/** A merchant for a first try, in one mode. In live mode its money moves at the bank of {@code --bank} only. */
record DemoMerchant(String merchantId, String platformId, String apiKey) {

    private static final JsonMapper JSON = new JsonMapper();

    /**
     * In test mode: the merchant of an earlier run if the gateway accepts its key, else a new one.
     *
     * @param file keeps the merchant
     */
    static DemoMerchant keptIn(Path file, String baseUrl, AdminApi admin) {
        return kept(file, baseUrl).orElseGet(() -> create(file, admin, admin.createMerchant("Demo merchant"), "test"));
    }

    /** The same merchant in live mode. */
    DemoMerchant liveModeKeptIn(Path file, String baseUrl, AdminApi admin) {
        return kept(file, baseUrl)
                .filter(kept -> kept.merchantId.equals(merchantId))
                .orElseGet(() -> {
                    admin.openCashouts(merchantId, "the demo merchant of infra/run --bank");
                    return create(file, admin, merchantId, "live");
                });
    }

    private static Optional<DemoMerchant> kept(Path file, String baseUrl) {
        return Files.exists(file) ? Optional.of(read(file)).filter(kept -> kept.isAccepted(baseUrl)) : Optional.empty();
    }

    private static DemoMerchant create(Path file, AdminApi admin, String merchantId, String mode) {
        String platformId = admin.createPlatform(merchantId, "Demo platform", mode);
        DemoMerchant created = new DemoMerchant(merchantId, platformId, admin.createKey(merchantId, mode));
        PrivateFile.write(file, JSON.writeValueAsString(created));
        return created;
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
