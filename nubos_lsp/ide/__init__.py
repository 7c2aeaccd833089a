"""What an editor asks for: functions of a snapshot and a place that give plain data. They know no protocol."""
