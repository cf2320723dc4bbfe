package dev.ligeiro.infra.loadtest.list.fill;

import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.UUID;

/**
 * The past transactions of a merchant, stored once in a home: a document of MongoDB says which.
 *
 * @param name of the merchant's role in the test
 * @param from the first day's beginning
 */
public record Fill(String name, String merchantId, UUID platform, Tenant tenant, Instant from, int days, long count) {

    /** Of the dates in list filters, as the gateway has it by default. */
    public static final ZoneId ZONE = ZoneId.of("America/Sao_Paulo");

    /**
     * The whole days before today.
     *
     * @param sample a cashin of the merchant
     */
    public static Fill of(String name, String merchantId, Transaction sample, int days, long count) {
        LocalDate today = LocalDate.ofInstant(sample.createdAt(), ZONE);
        Instant from = today.minusDays(days).atStartOfDay(ZONE).toInstant();
        return new Fill(name, merchantId, sample.terms().platform(), sample.tenant(), from, days, count);
    }

    /** @throws CannotRunException when this earlier fill has another size */
    Fill requireSame(int newDays, long newCount) {
        if (days != newDays || count != newCount) {
            throw new CannotRunException(
                    "this home has %d transactions of %d days of the merchant %s (expected: %d of %d); use another home"
                            .formatted(count, days, name, newCount, newDays));
        }
        return this;
    }

    public MerchantHistory history(Transaction sample) {
        return new MerchantHistory(sample, from, days, count);
    }
}
