package dev.ligeiro.desk.record;

import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The dead letters of a topic, each with the form that redrives it. */
@Controller
class DeadLetterPages {

    private final DeadLetterController deadLetters;

    DeadLetterPages(DeadLetterController deadLetters) {
        this.deadLetters = deadLetters;
    }

    @GetMapping("/console/dead-letters")
    @Needs(Role.READ)
    String list(@RequestParam @Nullable DeadLetterTopic topic, @RequestParam @Nullable RecordPlace after, Model model) {
        DeadLetterTopic shown = topic == null ? DeadLetterTopic.COMMANDS : topic;
        model.addAttribute("topics", List.of(DeadLetterTopic.values()));
        model.addAttribute("topic", shown);
        model.addAttribute("page", deadLetters.list(shown, after, null));
        return "record/dead-letters";
    }
}
