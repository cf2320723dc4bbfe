package dev.ligeiro.processor.rail;

import dev.ligeiro.transaction.Operation;
import dev.ligeiro.transaction.Transaction;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The routes of live transactions. {@code application.yml} explains each key.
 *
 * @param routes the first one that matches a transaction names its rail
 */
@ConfigurationProperties("ligeiro.rails")
@Validated
record RailProperties(@DefaultValue List<@Valid Route> routes) {

    /** The rail of all test transactions; no route may name it. */
    static final String SIMULATOR = "simulator";

    /**
     * @param operation null for both
     * @param tenant the key of a tenant; null for all
     */
    record Route(@NotBlank String rail, @Nullable Operation operation, @Nullable Long tenant) {

        boolean matches(Transaction transaction) {
            return (operation == null || operation == transaction.operation())
                    && (tenant == null || tenant == transaction.tenant().key());
        }
    }
}
