package dev.ligeiro.processor.intake;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.stereotype.Component;

/**
 * Makes the broker stamp each command with the time of its append. The gateway's sweeper compares this time with the creation of a
 * transaction. The producer would stamp the time of its call, which can be seconds before the append.
 */
@Component
class CommandTimestamps {

    private static final String APPEND = "LogAppendTime";
    static final Map<String, String> SETTING = Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, APPEND);

    private static final Logger LOG = LoggerFactory.getLogger(CommandTimestamps.class);

    private final KafkaAdmin kafka;

    CommandTimestamps(KafkaAdmin kafka) {
        this.kafka = kafka;
    }

    /**
     * Changes this setting of an existing topic. {@link KafkaAdmin} could only change all settings, also a retention that the operator
     * has set. Without the permission the service starts all the same: with the producer's time the sweeper may send a copy of a
     * command that is still in Kafka, but loses none.
     */
    void setOn(String topic) {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        AlterConfigOp set = new AlterConfigOp(
                new ConfigEntry(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, APPEND), AlterConfigOp.OpType.SET);
        AlterConfigsOptions options = new AlterConfigsOptions().timeoutMs(kafka.getOperationTimeout() * 1000);
        try (Admin admin = Admin.create(kafka.getConfigurationProperties())) {
            admin.incrementalAlterConfigs(Map.of(resource, List.of(set)), options)
                    .all()
                    .get();
        } catch (ExecutionException refused) {
            LOG.atWarn()
                    .addKeyValue("event.action", "topic_setting_refused")
                    .addKeyValue("topic", topic)
                    .addKeyValue("cause", String.valueOf(refused.getCause()))
                    .log("The topic's message.timestamp.type could not be set to LogAppendTime");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
