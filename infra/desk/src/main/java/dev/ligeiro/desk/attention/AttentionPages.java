package dev.ligeiro.desk.attention;

import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import dev.ligeiro.desk.record.DeadLetterController;
import dev.ligeiro.desk.record.DeadLetterTopic;
import dev.ligeiro.desk.record.RecordPlace;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The first page of the operators' console: the open work, each line with the way to its list; and the list of dead letters. */
@Controller
class AttentionPages {

    private final StatusController status;
    private final DeadLetterController deadLetters;

    AttentionPages(StatusController status, DeadLetterController deadLetters) {
        this.status = status;
        this.deadLetters = deadLetters;
    }

    @GetMapping("/console")
    @Needs(Role.READ)
    String attention(Model model) {
        model.addAttribute("status", status.show());
        return "attention/page";
    }

    /** Each with the form that redrives it. */
    @GetMapping("/console/dead-letters")
    @Needs(Role.READ)
    String deadLetters(
            @RequestParam @Nullable DeadLetterTopic topic, @RequestParam @Nullable RecordPlace after, Model model) {
        DeadLetterTopic shown = topic == null ? DeadLetterTopic.COMMANDS : topic;
        model.addAttribute("topics", List.of(DeadLetterTopic.values()));
        model.addAttribute("topic", shown);
        model.addAttribute("page", deadLetters.list(shown, after, null));
        return "record/dead-letters";
    }
}
