package dev.ligeiro.infra.loadtest.abuse;

import dev.ligeiro.infra.client.ApiException;
import dev.ligeiro.infra.client.JsonAnswer;
import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.Abuser;
import dev.ligeiro.infra.loadtest.merchant.Outcomes;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Users of one key who each ask for a list by status, which counts all transactions with it, one after the other. Who is refused waits for
 * two to three seconds: {@code Retry-After} says two, and users do not press a key at the same moment.
 */
final class SlowLists implements Abuser {

    private static final String QUERY = "?status=pending&page=";
    private static final long PAUSE_MIN_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_MAX_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final JsonApi api;
    private final Outcomes outcomes = new Outcomes();
    private final List<Thread> users;
    private volatile boolean closed;

    SlowLists(MerchantApi merchant, int count) {
        this.api = merchant.api();
        this.users = Stream.generate(() -> new Thread(this::read, "slow-list"))
                .limit(count)
                .toList();
        users.forEach(user -> user.setDaemon(true));
        users.forEach(Thread::start);
    }

    private void read() {
        while (!closed) {
            int status = status();
            outcomes.count(Integer.toString(status));
            if (status != 200) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_MIN_NANOS, PAUSE_MAX_NANOS));
            }
        }
    }

    /** 0 without a response. */
    private int status() {
        try {
            JsonAnswer answer = api.get(MerchantApi.TRANSACTIONS_PATH + QUERY + 2);
            return answer.status();
        } catch (ApiException none) {
            return 0;
        }
    }

    /** The lists that run are answered after this. */
    @Override
    public void close() {
        closed = true;
        users.forEach(LockSupport::unpark);
    }

    @Override
    public String toString() {
        return users.size() + " users with slow lists were answered " + outcomes;
    }
}
