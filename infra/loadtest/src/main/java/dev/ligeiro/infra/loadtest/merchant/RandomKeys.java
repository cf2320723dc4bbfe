package dev.ligeiro.infra.loadtest.merchant;

import dev.ligeiro.infra.client.JsonApi;
import dev.ligeiro.infra.client.MerchantApi;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Sends creates with keys that have the right form and do not exist, each another one, at a steady rate. */
public final class RandomKeys implements Abuser {

    private static final int KEY_BYTES = 32;
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String baseUrl;
    private final double rate;
    private final Outcomes outcomes = new Outcomes();
    private final Thread thread = new Thread(this::send, "random-keys");
    private volatile boolean closed;

    /** @param rate requests a second */
    public RandomKeys(String baseUrl, double rate) {
        this.baseUrl = baseUrl;
        this.rate = rate;
        thread.setDaemon(true);
        thread.start();
    }

    private void send() {
        long startAt = System.nanoTime();
        for (long sent = 0; !closed; sent++) {
            LockSupport.parkNanos(startAt + (long) (sent * NANOS / rate) - System.nanoTime());
            new JsonApi(baseUrl, key())
                    .postAsync(MerchantApi.CASHIN_PATH, "{}")
                    .whenComplete((answer, failure) ->
                            outcomes.count(failure == null ? Integer.toString(answer.status()) : "no answer"));
        }
    }

    private static String key() {
        byte[] random = new byte[KEY_BYTES];
        RANDOM.nextBytes(random);
        return "sk_test_" + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    @Override
    public String toString() {
        return "random keys were answered " + outcomes;
    }
}
