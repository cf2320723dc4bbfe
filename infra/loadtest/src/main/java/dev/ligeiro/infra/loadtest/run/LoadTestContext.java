package dev.ligeiro.infra.loadtest.run;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.client.MerchantApi;
import dev.ligeiro.infra.loadtest.merchant.Audit;
import dev.ligeiro.infra.loadtest.merchant.CallJournal;
import dev.ligeiro.infra.loadtest.merchant.LoadReceiver;
import dev.ligeiro.infra.loadtest.merchant.RunFaults;
import dev.ligeiro.infra.loadtest.system.CannotRunException;
import dev.ligeiro.infra.loadtest.system.ConsumerLag;
import dev.ligeiro.infra.loadtest.system.LoadedTransactions;
import dev.ligeiro.infra.loadtest.system.Processes;
import dev.ligeiro.infra.loadtest.system.Role;
import dev.ligeiro.infra.loadtest.system.TargetSystem;
import dev.ligeiro.infra.loadtest.system.Waits;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * Everything that the scenarios of a run share.
 *
 * @param merchant a merchant of this run alone, so that all its transactions are the load test's
 * @param sample a pending cashin of the merchant
 */
public record LoadTestContext(
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

    /** Keep-alive connections of a generator, unless the command says otherwise. */
    public static final int CONNECTIONS = 64;

    /** The exit code of a command whose audit found a fault. */
    public static final int AUDIT_FAILED = 1;

    private static final Duration ACCEPT_POLL = Duration.ofSeconds(1);
    private static final Duration ACCEPT_MAX = Duration.ofSeconds(90);

    /** The options of the commands that load a running system, set by picocli; the command's resource bundle describes them. */
    public static final class Attached {

        @Option(names = "--home", required = true, paramLabel = "DIR")
        Path home = Path.of("");

        @Option(names = "--help", usageHelp = true)
        boolean help;
    }

    public static LoadTestContext attach(Attached options) {
        return of(TargetSystem.attach(options.home.toAbsolutePath()));
    }

    public static LoadTestContext of(TargetSystem system) {
        DemoEnv env = system.env();
        RunFaults faults = new RunFaults();
        LoadReceiver receiver = new LoadReceiver(faults);
        LoadedTransactions stored = new LoadedTransactions(env.mongodbUri());
        MerchantApi merchant = newMerchant(env);
        String secret = merchant.registerEndpoint(receiver.url());
        return new LoadTestContext(
                system,
                faults,
                receiver,
                stored,
                new ConsumerLag(env.kafkaBootstrapServers()),
                merchant,
                secret,
                stored.get(createCashin(merchant)),
                Processes.of(env));
    }

    /** A cashin that stays pending. */
    public static TransactionId createCashin(MerchantApi merchant) {
        String id =
                merchant.createCashin(merchant.cashin("10.50")).required("id").asString();
        return TransactionId.parse(id).orElseThrow();
    }

    /** Compares the calls of the journal with the transactions that the tenant has created since then. */
    public Audit.Result audit(CallJournal journal, Tenant tenant, long sinceEpochMilli) {
        boolean processed = processes.has(Role.PROCESSOR);
        Audit audit = new Audit(journal, processed, faults);
        if (processed) {
            // the processors may still have commands to consume
            Waits.until(() -> stored.countUnaccepted(tenant, sinceEpochMilli) == 0, ACCEPT_POLL, ACCEPT_MAX);
        }
        stored.forEachSince(tenant, sinceEpochMilli, audit::take);
        return audit.finish();
    }

    /** Prints the faults of a run without a report; returns its exit code. */
    public int exitCode() {
        faults.lines().forEach(fault -> Progress.say("  %s", fault));
        Progress.say("audit %s", faults.count() == 0 ? "passed" : "FAILED");
        return faults.count() == 0 ? 0 : AUDIT_FAILED;
    }

    /** @throws CannotRunException when a process was replaced: its CPU would be that of two processes */
    public void requireSameProcesses() {
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

    public static MerchantApi newMerchant(DemoEnv env) {
        Map<String, ?> fees = Map.of("cashin", Map.of("percent", "0.99"), "cashout", Map.of("fixed", "0.50"));
        return MerchantApi.create(env, Map.of("name", "Load test", "fees", fees));
    }
}
