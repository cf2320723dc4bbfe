package dev.ligeiro.infra.standalone;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.MerchantApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;

/** Makes the demo merchant once and keeps it in the home. */
final class DemoMerchants {

    private static final JsonMapper JSON = new JsonMapper();

    private final Path file;
    private final String baseUrl;
    private final AdminApi admin;

    DemoMerchants(Path file, String baseUrl, AdminApi admin) {
        this.file = file;
        this.baseUrl = baseUrl;
        this.admin = admin;
    }

    /** The one of an earlier run while its key still works, else a new one. */
    DemoMerchant get() {
        if (Files.exists(file)) {
            DemoMerchant kept = read();
            if (isAccepted(kept)) {
                return kept;
            }
        }
        DemoMerchant created = DemoMerchant.create(admin);
        PrivateFile.write(file, JSON.writeValueAsString(created));
        return created;
    }

    /** Whether the gateway knows the key: the database may have been emptied, or be another one. */
    private boolean isAccepted(DemoMerchant merchant) {
        return merchant.api(baseUrl).api().get(MerchantApi.TRANSACTIONS_PATH).status() != 401;
    }

    private DemoMerchant read() {
        try {
            return JSON.readValue(Files.readString(file), DemoMerchant.class);
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be read: " + e, e);
        }
    }
}
