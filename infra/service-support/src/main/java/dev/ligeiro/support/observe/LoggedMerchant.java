package dev.ligeiro.support.observe;

import dev.ligeiro.transaction.Tenant;
import org.jspecify.annotations.Nullable;
import org.slf4j.spi.LoggingEventBuilder;

/** Names the merchant that a log line is about, in the same fields in all services. A command of the operator finds it by its number. */
public final class LoggedMerchant {

    private static final String NUMBER = "merchant.number";
    private static final String MODE = "mode";

    private LoggedMerchant() {}

    /** Adds number and mode; nothing for a line about no merchant. */
    public static LoggingEventBuilder add(LoggingEventBuilder line, @Nullable Tenant tenant) {
        return tenant == null
                ? line
                : line.addKeyValue(NUMBER, tenant.merchantNumber())
                        .addKeyValue(MODE, tenant.mode().code());
    }
}
