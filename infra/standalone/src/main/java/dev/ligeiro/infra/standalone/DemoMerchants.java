package dev.ligeiro.infra.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;

/** Makes the demo merchant once and keeps it in the home. */
final class DemoMerchants {

    private static final JsonMapper JSON = new JsonMapper();

    private final Path file;
    private final GatewayApi gateway;

    DemoMerchants(Path file, GatewayApi gateway) {
        this.file = file;
        this.gateway = gateway;
    }

    /** The one of an earlier run while its key still works, else a new one. */
    DemoMerchant get() {
        if (Files.exists(file)) {
            DemoMerchant kept = read();
            if (gateway.accepts(kept)) {
                return kept;
            }
        }
        DemoMerchant created = gateway.createDemoMerchant();
        PrivateFile.write(file, JSON.writeValueAsString(created));
        return created;
    }

    private DemoMerchant read() {
        try {
            return JSON.readValue(Files.readString(file), DemoMerchant.class);
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be read: " + e, e);
        }
    }
}
