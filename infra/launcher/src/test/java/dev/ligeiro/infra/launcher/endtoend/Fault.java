package dev.ligeiro.infra.launcher.endtoend;

import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.testing.brokers.Signal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;

/** What happens to one of the processes of a kind, chosen at random. */
record Fault(Target target, Signal signal) {

    /** The kinds of processes: members of the brokers, and instances of the services. */
    enum Target {
        MONGOD(DemoEnv.Pids::mongod),
        KAFKA(DemoEnv.Pids::kafka),
        GATEWAY(DemoEnv.Pids::gateway),
        PROCESSOR(DemoEnv.Pids::processor),
        WEBHOOK_DISPATCHER(DemoEnv.Pids::webhookDispatcher);

        private final Function<DemoEnv.Pids, List<Long>> pids;

        Target(Function<DemoEnv.Pids, List<Long>> pids) {
            this.pids = pids;
        }
    }

    /** Each kind of process killed, frozen until SIGCONT, and stopped once, in random order. */
    static List<Fault> all(Random random) {
        return shuffled(
                Stream.of(Target.values()).flatMap(target -> Stream.of(Signal.KILL, Signal.STOP, Signal.TERM)
                        .map(signal -> new Fault(target, signal))),
                random);
    }

    /** Each service killed once, in random order. */
    static List<Fault> kills(Random random) {
        return shuffled(
                Stream.of(Target.GATEWAY, Target.PROCESSOR, Target.WEBHOOK_DISPATCHER)
                        .map(service -> new Fault(service, Signal.KILL)),
                random);
    }

    private static List<Fault> shuffled(Stream<Fault> faults, Random random) {
        List<Fault> shuffled = new ArrayList<>(faults.toList());
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    /** The process that is hit. */
    long pid(DemoEnv.Pids pids, Random random) {
        List<Long> all = target.pids.apply(pids);
        return all.get(random.nextInt(all.size()));
    }

    /** Such as {@code MONGOD KILL}. */
    @Override
    public String toString() {
        return target + " " + signal;
    }
}
