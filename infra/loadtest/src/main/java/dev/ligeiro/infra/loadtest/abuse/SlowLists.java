package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.list.ListReaders;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Users of one key who each ask for a list by status, which counts all transactions with it, one after the other. Who is refused waits for
 * two to three seconds: {@code Retry-After} says two, and users do not press a key at the same moment.
 */
final class SlowLists {

    private static final String PATH = MerchantApi.TRANSACTIONS_PATH + "?status=pending&page=2";
    private static final long WAIT_MIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long WAIT_MAX_NANOS = TimeUnit.SECONDS.toNanos(3);

    private SlowLists() {}

    static Abuser read(JsonApi api, int count) {
        return new ListReaders(count + " users with slow lists", count, api, () -> PATH, SlowLists::waitNanos);
    }

    private static long waitNanos(long retryAfterSeconds) {
        return ThreadLocalRandom.current().nextLong(WAIT_MIN_NANOS, WAIT_MAX_NANOS);
    }
}
