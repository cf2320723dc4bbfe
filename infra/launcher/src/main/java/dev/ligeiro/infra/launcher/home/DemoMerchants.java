package dev.ligeiro.infra.launcher.home;

import dev.ligeiro.infra.client.AdminApi;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.launcher.terminal.CannotStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;

/** Creates the demo merchant once and keeps it in a file of the home. */
public final class DemoMerchants {

    private static final JsonMapper JSON = new JsonMapper();

    private final Path file;
    private final String baseUrl;
    private final AdminApi admin;

    public DemoMerchants(Path file, String baseUrl, AdminApi admin) {
        this.file = file;
        this.baseUrl = baseUrl;
        this.admin = admin;
    }

    /** The merchant of an earlier run if the gateway accepts its key, else a new one. */
    public DemoMerchant get() {
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

    /** The gateway does not know the key when the database is another one. */
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
