package dev.ligeiro.infra.brokers;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The settings of one Kafka node on a small machine. Settings that are not here have Kafka's defaults. Each node has each partition,
 * and one node may be missing.
 */
final class KafkaSettings {

    /** Half a gigabyte of heap suffices for thousands of records a second; Kafka caches its log in the page cache. */
    static final List<String> JVM_OPTIONS = List.of(
            "-Xms128m",
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:+UseTransparentHugePages",
            "-XX:+ExitOnOutOfMemoryError",
            "-Djava.awt.headless=true",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-Dorg.slf4j.simpleLogger.showDateTime=true",
            "-Dorg.slf4j.simpleLogger.dateTimeFormat=yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
            "-Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info");

    private KafkaSettings() {}

    /**
     * The launcher restarts a killed broker at once. Its session expires after 2 s instead of 9 s; until then the controller refuses the
     * restarted broker.
     */
    static String of(LocalKafka kafka) {
        return """
                process.roles=broker,controller
                node.id=%3$d
                listeners=CLIENT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=CLIENT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                listener.security.protocol.map=CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT
                inter.broker.listener.name=CLIENT
                controller.listener.names=CONTROLLER
                %4$s
                log.dirs=%5$s

                broker.heartbeat.interval.ms=500
                broker.session.timeout.ms=2000

                auto.create.topics.enable=false
                default.replication.factor=%6$d
                min.insync.replicas=%7$d

                group.initial.rebalance.delay.ms=0

                offsets.topic.num.partitions=2
                offsets.topic.replication.factor=%6$d
                transaction.state.log.num.partitions=1
                transaction.state.log.replication.factor=%6$d
                transaction.state.log.min.isr=%7$d
                share.coordinator.state.topic.num.partitions=1
                share.coordinator.state.topic.replication.factor=%6$d
                share.coordinator.state.topic.min.isr=%7$d

                num.network.threads=2
                num.io.threads=2
                background.threads=2
                num.replica.fetchers=1
                log.cleaner.threads=1
                log.cleaner.dedupe.buffer.size=8388608

                %8$s
                """
                .formatted(
                        kafka.port(),
                        kafka.controllerPort(),
                        kafka.nodeId(),
                        quorum(kafka),
                        escaped(kafka.data().toString()),
                        kafka.members().size(),
                        Math.max(1, kafka.members().size() - 1),
                        lines(kafka.overrides()));
    }

    /** A single node keeps the address of its quorum in its data, so its port can change. Several have it in these settings. */
    private static String quorum(LocalKafka kafka) {
        if (kafka.isAlone()) {
            return "controller.quorum.bootstrap.servers=" + Ports.address(kafka.controllerPort());
        }
        List<Integer> members = kafka.members();
        return IntStream.range(0, members.size())
                .mapToObj(each ->
                        "%d@%s".formatted(each + 1, Ports.address(LocalKafka.controllerPort(members.get(each)))))
                .collect(Collectors.joining(",", "controller.quorum.voters=", ""));
    }

    /** The last value of a repeated setting counts. */
    private static String lines(Map<String, String> overrides) {
        return overrides.entrySet().stream()
                .map(setting -> setting.getKey() + "=" + setting.getValue())
                .collect(Collectors.joining("\n"));
    }

    /** In a properties file a backslash starts an escape sequence. */
    private static String escaped(String value) {
        return value.replace("\\", "\\\\");
    }
}
