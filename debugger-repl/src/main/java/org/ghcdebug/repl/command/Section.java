package org.ghcdebug.repl.command;

/** How {@code help} groups the verbs. */
public enum Section {
  SESSION("Session"),
  LOOK("Look at closures"),
  HEAP("The whole heap"),
  EVENTLOG("Eventlogs"),
  PROMPT("Prompt and scripts");

  private final String title;

  Section(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
