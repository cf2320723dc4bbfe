package dev.ligeiro.infra.loadtest;

import dev.ligeiro.infra.loadtest.audit.StoredTransactions;
import dev.ligeiro.infra.loadtest.generate.Merchant;
import dev.ligeiro.infra.loadtest.ledger.Faults;
import dev.ligeiro.infra.loadtest.observe.ConsumerLag;
import dev.ligeiro.infra.loadtest.observe.Garbage;
import dev.ligeiro.infra.loadtest.observe.Processes;
import dev.ligeiro.infra.loadtest.observe.Role;
import dev.ligeiro.infra.loadtest.receive.WebhookReceiver;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.DemoEnv;
import dev.ligeiro.infra.loadtest.system.MerchantApi;
import dev.ligeiro.infra.loadtest.system.RunningSystem;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;

/** All that a run works with: the system, a merchant and an endpoint of its own, and what observes. */
final class Bench implements AutoCloseable {

    private final RunningSystem system;
    private final Faults faults = new Faults();
    private final WebhookReceiver receiver = new WebhookReceiver(faults);
    private final StoredTransactions stored;
    private final ConsumerLag lag;
    private final MerchantApi api;
    private final Merchant merchant;
    private final String webhookSecret;
    private final Transaction sample;
    private final Processes processes;
    private final Garbage garbage;

    Bench(RunningSystem system) {
        this.system = system;
        DemoEnv env = system.env();
        this.stored = new StoredTransactions(env.get("MONGODB_URI"));
        this.lag = new ConsumerLag(env.get("KAFKA_BOOTSTRAP_SERVERS"));
        this.api = new MerchantApi(env);
        this.merchant = api.createMerchant();
        this.webhookSecret = api.registerEndpoint(merchant, receiver.url());
        this.sample = stored.get(api.create(merchant));
        this.processes = Processes.of(env);
        this.garbage = new Garbage(processes, env.get("ADMIN_TOKEN"));
    }

    /** @throws CannotRunException when a process has been replaced, so that its figures would be of two lives */
    void requireSameProcesses() {
        Processes now = Processes.of(system.env());
        if (!now.equals(processes)) {
            throw new CannotRunException(
                    "a process was restarted during the run: %s (before: %s)".formatted(now.pids(), processes.pids()));
        }
    }

    /** Whether a processor runs: against a gateway alone, only what is stored can be audited. */
    boolean isProcessed() {
        return processes.has(Role.PROCESSOR);
    }

    /** The merchant in test mode. */
    Tenant tenant() {
        return sample.tenant();
    }

    /** A pending cashin of the merchant. */
    Transaction sample() {
        return sample;
    }

    Faults faults() {
        return faults;
    }

    WebhookReceiver receiver() {
        return receiver;
    }

    StoredTransactions stored() {
        return stored;
    }

    ConsumerLag lag() {
        return lag;
    }

    MerchantApi api() {
        return api;
    }

    Merchant merchant() {
        return merchant;
    }

    String webhookSecret() {
        return webhookSecret;
    }

    Processes processes() {
        return processes;
    }

    Garbage garbage() {
        return garbage;
    }

    @Override
    public void close() {
        receiver.close();
        lag.close();
        stored.close();
    }
}
