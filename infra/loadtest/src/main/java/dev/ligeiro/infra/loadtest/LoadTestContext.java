package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.util.List;
import java.util.Map;

/**
 * Everything that the scenarios of a run share.
 *
 * @param merchant a merchant of this run alone, so that all its transactions are the load test's
 * @param sample a pending cashin of the merchant
 */
record LoadTestContext(
        TargetSystem system,
        RunFaults faults,
        LoadReceiver receiver,
        LoadedTransactions stored,
        ConsumerLag lag,
        MerchantApi merchant,
        String webhookSecret,
        Transaction sample,
        Processes processes)
        implements AutoCloseable {

    static LoadTestContext of(TargetSystem system) {
        DemoEnv env = system.env();
        RunFaults faults = new RunFaults();
        LoadReceiver receiver = new LoadReceiver(faults);
        LoadedTransactions stored = new LoadedTransactions(env);
        MerchantApi merchant = newMerchant(env);
        String secret = merchant.registerEndpoint(receiver.url());
        String id =
                merchant.createCashin(merchant.cashin("10.50")).required("id").asString();
        return new LoadTestContext(
                system,
                faults,
                receiver,
                stored,
                new ConsumerLag(env),
                merchant,
                secret,
                stored.get(TransactionId.parse(id).orElseThrow()),
                Processes.of(env));
    }

    /** With scopes that all versions know. */
    static MerchantApi newMerchant(DemoEnv env) {
        Map<String, ?> fees = Map.of("cashin", Map.of("percent", "0.99"), "cashout", Map.of("fixed", "0.50"));
        return MerchantApi.create(
                env,
                Map.of("name", "Load test", "fees", fees),
                List.of("transactions:read", "transactions:write", "webhooks:manage"));
    }

    Tenant tenant() {
        return sample.tenant();
    }

    /** @throws CannotRunException when a process was replaced: its CPU would be that of two processes */
    void requireSameProcesses() {
        Processes now = Processes.of(system.env());
        if (!now.equals(processes)) {
            throw new CannotRunException(
                    "a process was restarted during the run: %s (before: %s)".formatted(now.pids(), processes.pids()));
        }
    }

    @Override
    public void close() {
        receiver.close();
        lag.close();
        stored.close();
    }
}
