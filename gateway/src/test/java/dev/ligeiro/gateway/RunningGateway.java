package dev.ligeiro.gateway;

import dev.ligeiro.infra.brokers.test.TestBrokers;
import dev.ligeiro.message.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** A whole gateway on free ports, on the shared brokers and a database of its own. */
public final class RunningGateway implements AutoCloseable {

    public static final String ADMIN_TOKEN = "the-admin-token-of-the-tests";

    private final ConfigurableApplicationContext context;
    private final String database;

    private RunningGateway(ConfigurableApplicationContext context, String database) {
        this.context = context;
        this.database = database;
    }

    /** @param settings {@code name=value} each */
    public static RunningGateway start(String... settings) {
        return startOn("gateway_" + UUID.randomUUID().toString().substring(0, 8), settings);
    }

    public static RunningGateway startOn(String database, String... settings) {
        createCommandsTopic();
        List<String> all = new ArrayList<>(List.of(
                "server.port=0",
                "management.server.port=0",
                "ligeiro.admin-token=" + ADMIN_TOKEN,
                "spring.mongodb.uri=" + TestBrokers.mongodbUri(database),
                "spring.kafka.bootstrap-servers=" + TestBrokers.kafkaBootstrapServers()));
        all.addAll(List.of(settings));
        ConfigurableApplicationContext context = new SpringApplicationBuilder(GatewayApplication.class)
                .run(all.stream().map(setting -> "--" + setting).toArray(String[]::new));
        return new RunningGateway(context, database);
    }

    private static void createCommandsTopic() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", TestBrokers.kafkaBootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(Topics.COMMANDS, 2, (short) 1)))
                    .all()
                    .get();
        } catch (java.util.concurrent.ExecutionException failure) {
            if (!(failure.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException(failure);
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    public String database() {
        return database;
    }

    public String url() {
        return "http://localhost:" + context.getEnvironment().getProperty("local.server.port");
    }

    public String managementUrl() {
        return "http://localhost:" + context.getEnvironment().getProperty("local.management.port");
    }

    @Override
    public void close() {
        context.close();
    }
}
